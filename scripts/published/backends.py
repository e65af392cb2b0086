"""Measured collectives of MPI, Gloo and NCCL, from 64 KiB on, as rows of a table of groups."""
from .case import read, whole
from .collectives import OPERATIONS

LEAST = 64 << 10
BROADCAST = dict(OPERATIONS, broadcast='broadcast')

# Algorithms as the systems' files name them; `default` and the like are the library's choice. Those that are missing
# here are not modelled: of MPI the segmented ones, Bruck's, and those for a torus.
ALGORITHMS = {
    'all-reduce': {'ring': 'ring', 'recursive_doubling': 'recursive-doubling', 'rabenseifner': 'halving-doubling'},
    'all-gather': {'ring': 'ring', 'recursive_doubling': 'recursive-doubling', 'neighbor': 'neighbor-exchange'},
    'reduce-scatter': {'ring': 'ring', 'recursive_halving': 'recursive-halving'},
    'broadcast': {'binomial': 'binomial', 'scatter_allgather': 'scatter-doubling',
                  'scatter_allgather_ring': 'scatter-ring'},
}
CHOSEN = ['default', 'library default', 'default-default', 'auto']
# What Cray MPICH runs is its default where the default's name is another algorithm's: their times are the same.
SAME_AS_DEFAULT = [('lumi_g', 'all-reduce', 'recursive_doubling_mpich')]

# Systems of collectives_more.csv: memory of a host, links between nodes, cards that ranks use in a node. One process of
# Leonardo uses two cards (UCX_MAX_RNDV_RAILS is 2 unless set), one of MareNostrum 5 one, as its notes say.
MPI = {
    'abci_v': ('xeon-skylake', 'ib-edr', 2), 'abci_a': ('xeon-ice-lake', 'ib-hdr', 4),
    'leonardo_booster': ('xeon-ice-lake', 'ib-hdr100', 2), 'mn5_acc': ('xeon-sapphire-rapids', 'ib-ndr200', 1),
    'lumi_g': ('epyc-milan', 'slingshot', 1),
    **{'fugaku_' + shape: ('a64fx', 'tofu-d', 1) for shape in ('2x2x2', '4x4x4', '8x8x8', '64x64', '32x256')},
}
# Those of osu_clouds.csv, by cloud and environment. Azure's hosts of 96 cores are missing: two runs on like machines differ
# by a factor of four.
CLOUDS = {
    'LLNL Lassen': ('power9', 'ib-edr', 2), 'azure/aks/gpu': ('xeon-skylake', 'ib-edr', 1),
    'azure/cyclecloud/gpu': ('xeon-skylake', 'ib-edr', 1),
    'google/compute-engine/cpu': ('epyc-milan', 'tcp', 1), 'google/gke/cpu': ('epyc-milan', 'tcp', 1),
    'google/compute-engine/gpu': ('xeon-skylake', 'tcp', 1), 'google/gke/gpu': ('xeon-skylake', 'tcp', 1),
    'aws/parallel-cluster/cpu': ('epyc-milan', 'efa', 1), 'aws/eks/cpu': ('epyc-milan', 'efa', 1),
    'aws/eks/gpu': ('xeon-skylake', 'efa', 1),
}
# Links inside and between, and cards of a node, of the systems with NCCL. EDR InfiniBand and NDR200 have no class; those of
# like bandwidth stand for them.
NCCL = {'abci_a': ('nvlink3', 'ib-hdr', 4), 'abci_v': ('nvlink2-quad', 'roce-100g', 2), 'mn5_acc': ('nvlink4', 'ib-hdr', 4),
        'alps_gh200': ('nvlink4', 'slingshot', 4)}
NCCL_ALGORITHMS = {'library default': '', 'auto': '', 'nccl_ring': 'ring', 'nccl_tree': 'tree'}
# Gloo over sockets. Of the others of its systems the network is not known (gloo93_ib_gdr, gloo158_tcp), or times of 128 and
# 256 KiB look broken and one row is left (gloo158_ib100).
GLOO = {'gloo248_cx3_40g': ('tcp-loopback', 'tcp', 1), 'gloo_readme_40g': ('tcp-loopback', 'tcp', 1)}


def group(links, row, operation, nodes, per_node, size, time, algorithm='', buffers='cpu'):
    inside, between, cards = links
    return {'link': inside, 'inter': between if nodes > 1 else '', 'gpus_per_node': per_node,
            'nics_per_node': cards if nodes > 1 else '', 'operation': operation, 'members': nodes * per_node,
            'per_node': per_node, 'bytes': size, 'algorithm': algorithm, 'buffers': buffers, 'caller': 'program',
            'time_us': time, 'system': row}


def algorithm_of(system, operation, text):
    """The algorithm's word, empty for the library's choice, or None for one that is not modelled."""
    text = text.replace(' (4 rails)', '')
    if (system, operation, text) in SAME_AS_DEFAULT:
        return ''
    name = text.removeprefix('default-') if text not in CHOSEN else text
    for end in ('_ompi', '_mpich', '_over'):
        name = name.removesuffix(end)
    name = name if name in CHOSEN else name.replace('-', '_')
    if name in CHOSEN:
        return None if system.startswith('fugaku') else ''  # which is one for the torus
    if system.startswith('fugaku') and name not in ('ring', 'neighbor'):
        return None  # whose partners are many links of the torus apart
    return ALGORITHMS[operation].get(name)


def mpi_groups(data):
    found = []
    for row in read(data, 'collectives_more.csv'):
        operation = BROADCAST.get(row['collective'])
        if row['system'] not in MPI or 'MPI' not in row['library'] or operation not in ALGORITHMS or not row['time_us']:
            continue
        algorithm = algorithm_of(row['system'], operation, row['algorithm'])
        staged = row['device'] == 'gpu'
        if (algorithm is None or 'hierarchical' in row['library'] or '4 rails' in row['algorithm']
                or staged and not (row['system'].startswith('abci') and operation == 'all-reduce')):
            continue  # of buffers on GPUs, only the all-reduces of hosts that copy them are modelled
        nodes = whole(row, 'nodes')
        found.append(group(MPI[row['system']], row['system'], operation, nodes, whole(row, 'ranks') // nodes,
                           int(row['size_bytes']), row['time_us'], algorithm, row['device']))
    for row in read(data, 'osu_clouds.csv'):
        if row['test'].startswith('osu_allreduce') and row['environment'] in CLOUDS and row['buffers'] != 'GPU':
            found.append(group(CLOUDS[row['environment']], row['environment'], 'all-reduce', whole(row, 'nodes'),
                               whole(row, 'ranks_per_node'), int(row['size_bytes']), row['median']))
    return [row for row in found if row['bytes'] >= LEAST]


def gloo_groups(data):
    return [group(GLOO[row['system']], row['system'], 'all-reduce', whole(row, 'nodes'), 1, int(row['size_bytes']),
                  row['time_us'])
            for row in read(data, 'collectives_more.csv')
            if row['system'] in GLOO and row['library'].startswith('gloo') and int(row['size_bytes']) >= LEAST
            and row['time_us'] and float(row['time_us']) > 0]


def socket_sends(data):
    """Messages over the sockets of hosts, one way, which are what Gloo sends."""
    return [group(('tcp-loopback', 'tcp', 1), row['environment'], 'send', 2, 1, int(row['size_bytes']), row['median'])
            for row in read(data, 'osu_clouds.csv', cloud='google', test='osu_latency') if int(row['size_bytes']) > 0]


def nccl_groups(data):
    found = []
    for row in read(data, 'collectives_more.csv'):
        operation = BROADCAST.get(row['collective'])
        if (row['system'] in NCCL and 'NCCL' in row['library'] and row['algorithm'] in NCCL_ALGORITHMS and operation
                and row['time_us']):
            nodes = whole(row, 'nodes')
            algorithm = NCCL_ALGORITHMS[row['algorithm']] if operation == 'all-reduce' else ''
            found.append(group(NCCL[row['system']], row['system'], operation, nodes, whole(row, 'ranks') // nodes,
                               int(row['size_bytes']), row['time_us'], algorithm, 'gpu'))
    return [row for row in found if row['bytes'] >= LEAST]
