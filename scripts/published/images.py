"""Images per second of convolutional networks on the GPUs of one machine."""
from .case import Case, Set, read, whole

NETWORKS = {'AlexNet': 'alexnet', 'InceptionV3': 'inception-v3', 'ResNet-50': 'resnet50', 'ResNet-152': 'resnet152',
            'ResNet-50 v1.5': 'resnet50', 'VGG-16': 'vgg16'}
# Topology, links per GPU and bandwidth of each.
NVLINKS = {'DGX-1 (P100)': ('ring', 4, '20 GB/s'), 'DGX-1': ('ring', 6, '25 GB/s'), 'DGX-1 32GB': ('ring', 6, '25 GB/s'),
           'DGX-2': ('switch', 6, '25 GB/s'), 'DGX A100': ('switch', 12, '25 GB/s')}


def images(source, gpus):
    """Where the batch is not printed, the quickest power of two that fits counts."""
    def cases(data, models):
        for row in read(data, 'dnn_throughput.csv', source=source, metric='images/s'):
            device = next((device for gpu, device in gpus.items() if row['gpu'].startswith(gpu)), None)
            if not device or row['system'] not in NVLINKS or row['network'] not in NETWORKS:
                continue
            topology, links, bandwidth = NVLINKS[row['system']]
            network = [{'topology': topology, 'size': whole(row, 'gpus'), 'links': links, 'bandwidth': bandwidth,
                        'latency': '1 us'}]
            batches = [whole(row, 'batch_per_gpu')] if row['batch_per_gpu'] else [2**i for i in range(5, 11)]
            yield Case(row['id'], [{'network': network, 'device': device,
                                    'workload': {'model': NETWORKS[row['network']], 'batch': batch,
                                                 'datatype': row['precision']}} for batch in batches],
                       float(row['value']), [batch * whole(row, 'gpus') for batch in batches],
                       float(row['gpu'].split('-')[2][:2]) * 1e9)
    return cases


SETS = [
    Set('Convolutional networks, P100', 'T0', 0, images('tf_benchmarks_2017', {'P100': 'p100'})),
    Set('ResNet-50, V100', 'T1', 0, images('nv_dlexamples', {'V100': 'v100'})),
    Set('ResNet-50, A100', 'T1', 0, images('nv_dlexamples', {'A100-SXM4-40GB': 'a100-40gb', 'A100-SXM4-80GB': 'a100'})),
]
