"""All-reduces of NCCL below 1 MiB, as rows of a table of groups."""
from .case import read, whole
from .collectives import MIB, groups

# Printed in issues and pull requests, measured by nccl-tests out of place, which the folder of measurements lacks. Of a
# range of sizes the first and the last are here, with the middle of the times. Links inside and between, nodes, GPUs
# and cards per node, source, and pairs of bytes and us.
PRINTED = [
    ('nvlink3', 'ib-hdr', 2, 1, 1, 'NVIDIA/nccl-tests issue 150', [(8, 19.95), (64, 19.95)]),
    ('nvlink3', 'ib-hdr', 32, 8, 4, 'NVIDIA/nccl issue 652', [(4, 66.5), (512, 66.5)]),
    ('nvlink4', 'ib-ndr', 2, 8, 8, 'NVIDIA/nccl issue 1244 (H20)', [(4, 47.05), (512, 47.05)]),
    ('nvlink3', 'roce-100g', 2, 1, 1, 'NVIDIA/nccl-tests issue 214 (A40)', [(256, 32.45), (8 << 10, 32.45)]),
    ('nvlink4', 'ib-hdr', 2, 1, 1, 'NVIDIA/dgx-spark-playbooks pull request 103 (GB10)',
     [(8 << 10, 32.5), (64 << 10, 66.5)]),
    ('nvlink4', '', 1, 8, 0, 'deepseek-ai/DeepEP issue 303 (H20)', [(4, 12.5), (128, 15.5), (4 << 10, 16.7)]),
    ('nvlink4', '', 1, 8, 0, 'aws/aws-k8s-tester pull request 503', [(8, 12.9)]),
    ('nvlink4', '', 1, 8, 0, 'kvcache-ai/Mooncake pull request 3484', [(32 << 10, 18.7), (256 << 10, 19.5)]),
]
# Systems of collectives_more.csv and nccl_small_messages.csv: links inside and between, cards per node. EDR InfiniBand
# and a card of NDR200 have no class of their own; those of like bandwidth stand for them.
MORE = {
    'abci_a': ('nvlink3', 'ib-hdr', 4), 'abci_v': ('nvlink2-quad', 'roce-100g', 2), 'mn5_acc': ('nvlink4', 'ib-hdr', 4),
    'p3dn_efa_2019': ('nvlink2-mesh', 'efa', 1), 'alps_gh200': ('nvlink4', 'slingshot', 4),
    'deepops_dgxa100_2n': ('nvlink3', 'ib-hdr', 8), 'lambda_b200_2n': ('nvlink5', 'ib-ndr', 8),
}
ALGORITHMS = {'library default': '', 'auto': '', '': '', 'ring (forced)': 'ring', 'nccl_ring': 'ring', 'nccl_tree': 'tree'}


def row_of(inside, between, nodes, per_node, cards, size, time, system, algorithm=''):
    return {'link': inside, 'inter': between if nodes > 1 else '', 'gpus_per_node': per_node,
            'nics_per_node': cards if nodes > 1 and cards != per_node else '', 'operation': 'all-reduce',
            'members': nodes * per_node, 'per_node': per_node, 'bytes': size, 'algorithm': algorithm, 'timed': '',
            'time_us': time, 'system': system}


def more(data):
    found = []
    for row in read(data, 'collectives_more.csv') + read(data, 'nccl_small_messages.csv'):
        if (row['system'] not in MORE or 'NCCL' not in row['library'] or row['collective'] != 'all_reduce'
                or row['algorithm'] not in ALGORITHMS or not row['time_us']):
            continue
        inside, between, cards = MORE[row['system']]
        nodes = whole(row, 'nodes')
        found.append(row_of(inside, between, nodes, whole(row, 'ranks') // nodes, cards, int(row['size_bytes']),
                            row['time_us'], row['system'], ALGORITHMS[row['algorithm']]))
    return found


def small_groups(data):
    """Those that `groups` lacks; but of four V100 and of Slingshot all sizes, since nothing else tells the bandwidth of
    their links."""
    printed = [row_of(*links, size, time, source.replace(',', ''))
               for *links, source, times in PRINTED for size, time in times]
    return [row for row in more(data) if row['bytes'] < MIB or (row['link'] == 'nvlink2-quad' and not row['inter'])
            or row['inter'] == 'slingshot'] + printed


def small_all_reduces(data, inside, between):
    """Of one of several classes of links inside nodes."""
    return [row for row in groups(data) + small_groups(data)
            if row['operation'] == 'all-reduce' and int(row['bytes']) < MIB and row['link'] in inside
            and row['inter'] == between]
