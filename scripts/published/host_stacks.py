"""Latency and bandwidth of messages between two NPUs through host stacks, against measurements."""
import csv
import io
import os
import statistics
import subprocess
import tempfile

MIB = 1 << 20


# Two NPUs behind a switch. A word of a stack: bandwidth of each link in GB/s, and its latency in us.
INFINIBAND, ETHERNET, NVLINK = 0.3, 1.0, 0.1
NETWORKS = {
    'rdma': (25, INFINIBAND), 'rdma-hdr-aks': (25, INFINIBAND), 'rdma-edr': (12.5, INFINIBAND),
    'rdma-edr-aks': (12.5, INFINIBAND), 'rdma-edr-power9': (25, INFINIBAND), 'rdma-hdr-abci': (25, INFINIBAND),
    'rdma-edr-abci': (25, INFINIBAND), 'efa': (12.5, ETHERNET), 'efa-eks': (12.5, ETHERNET),
    'gpudirect': (25, INFINIBAND), 'gpudirect-edr': (25, INFINIBAND), 'gpu-staged': (12.5, INFINIBAND),
    'kernel-tcp': (12.5, ETHERNET), 'kernel-tcp-c2d': (12.5, ETHERNET), 'kernel-tcp-c2d-gke': (12.5, ETHERNET),
    'kernel-tcp-n1': (4, ETHERNET), 'kernel-tcp-n1-gke': (4, ETHERNET), 'pony-express': (12.5, ETHERNET),
    'peer-p100': (20, NVLINK), 'peer-v100': (50, NVLINK), 'peer-a100': (300, NVLINK),
    'host-copies-p100': (32, NVLINK), 'host-copies-v100': (32, NVLINK), 'host-copies-a100': (64, NVLINK),
}

# Which rows of the OSU benchmarks in clouds a stack is of: environment, and text in `buffers`.
CLOUDS = {
    ('azure/cyclecloud/cpu', 'host'): 'rdma', ('azure/aks/cpu', 'host'): 'rdma-hdr-aks',
    ('azure/cyclecloud/gpu', 'host (GPU build)'): 'rdma-edr', ('azure/cyclecloud/gpu', 'GPU'): 'gpu-staged',
    ('azure/aks/gpu', 'not stated (README: -d cuda H H = host buffers)'): 'rdma-edr-aks',
    ('LLNL Lassen', 'host'): 'rdma-edr-power9', ('aws/parallel-cluster/cpu', 'host'): 'efa',
    ('aws/eks/cpu', 'host'): 'efa-eks', ('google/compute-engine/cpu', 'host'): 'kernel-tcp-c2d',
    ('google/gke/cpu', 'host'): 'kernel-tcp-c2d-gke',
    ('google/compute-engine/gpu', 'not stated (README: -d cuda H H = host buffers)'): 'kernel-tcp-n1',
    ('google/gke/gpu', 'not stated (README: -d cuda H H = host buffers)'): 'kernel-tcp-n1-gke',
}
ADAPTERS = {'A100': ('rdma-hdr-abci', 'gpudirect'), 'V100': ('rdma-edr-abci', 'gpudirect-edr')}


def run(orrery, stack, messages, size):
    """Returns the us until the last of several messages has arrived that NPU 0 sends to NPU 1 at once."""
    bandwidth, latency = NETWORKS[stack]
    with tempfile.TemporaryDirectory() as folder:
        network, flows = os.path.join(folder, 'network.yaml'), os.path.join(folder, 'flows.csv')
        with open(network, 'w') as file:
            file.write(f'build: switch\nsize: 2\nlink: {{ bandwidth: {bandwidth} GB/s, latency: {latency} us }}\n')
        with open(flows, 'w') as file:
            file.write('source,destination,bytes,channel\n' + f'0,1,{size},0\n' * messages)
        done = subprocess.run([orrery, 'flows', '--topology=' + network, '--flows=' + flows, '--host-stack=' + stack],
                              check=True, capture_output=True, text=True)
    return max(float(row['end_us']) for row in csv.DictReader(io.StringIO(done.stdout)))


def clouds(rows):
    """Yields (stack, kind, measured, name) of the benchmarks in clouds, on the fewest nodes that there are."""
    fewest = {}
    for row in rows:
        stack, size = CLOUDS.get((row['environment'], row['buffers'])), int(row['size_bytes'])
        latency = row['test'].startswith('osu_latency') and size == 8
        bandwidth = row['test'].startswith(('osu_bw', 'osu_mbw')) and size == 4 * MIB
        if not stack or not (latency or bandwidth):
            continue
        pairs = 2 if 'mbw' in row['test'] else 1
        value = float(row['median']) if latency else float(row['median']) / pairs / 1000
        key = (stack, 'latency' if latency else 'bandwidth')
        fewest[key] = min(fewest.get(key, (1 << 60,)), (int(row['nodes']), value, row['id']))
    for (stack, kind), (_, value, name) in sorted(fewest.items()):
        yield stack, kind, value, name


def adapters(rows):
    """Yields those of messages between nodes of GPUs, for each pair of GPUs."""
    for row in rows:
        if not row['hardware'].startswith('ABCI 2 nodes') or row['src_gpu'].startswith('8'):
            continue  # eight pairs share four cards
        device = 'A100' if 'A100' in row['hardware'] else 'V100'
        stack = ADAPTERS[device]['GPU buffers' in row['path']]
        pairs = int(row['src_gpu'].split()[0])
        if row['metric'] == 'one-way latency' and row['size_bytes'] == '8':
            yield stack, 'latency', float(row['value']), row['id']
        if row['metric'] == 'aggregate bandwidth' and row['size_bytes'] == str(4 * MIB):
            yield stack, 'bandwidth', float(row['value']) / pairs / 1000, row['id']


def peers(rows):
    """Yields medians over pairs of GPUs of a node."""
    groups = {}
    for row in rows:
        device = next((d for d in ('p100', 'v100', 'a100') if d in row['hardware'].lower()), None)
        sample = row['software'].startswith(('CUDA p2p', 'CUDA 11.2 p2p')) and row['src_gpu'] != row['dst_gpu']
        if not device or not sample or row['direction'] == 'bi' or row['metric'] not in ('latency', 'bandwidth'):
            continue
        direct = 'NVLink' in row['path'].split('(')[0].split(';')[0] and 'no direct' not in row['path']
        groups.setdefault((('peer-' if direct else 'host-copies-') + device, row['metric']), []).append(row['value'])
    for (stack, kind), values in sorted(groups.items()):
        yield stack, kind, statistics.median(float(value) for value in values), f'{stack} {kind}'


def stacks(kind, read):
    """Returns what validates latencies of 8 bytes or bandwidths of 4 MiB, 64 of which are under way at a time."""
    def pairs(orrery, data):
        rows = [*clouds(read(data, 'osu_clouds.csv')), *adapters(read(data, 'p2p_gpu.csv')),
                *peers(read(data, 'p2p_gpu.csv'))]
        simulated, result = {}, []
        for stack, what, measured, name in rows:
            if what != kind:
                continue
            if stack not in simulated:
                simulated[stack] = (run(orrery, stack, 1, 8) if kind == 'latency'
                                    else 64 * 4 * MIB / run(orrery, stack, 64, 4 * MIB) / 1000)
            result.append((name, measured, simulated[stack]))
        return result
    return pairs
