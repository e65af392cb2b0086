"""Measured collectives as a table of groups for `orrery compute collective --groups`."""
from .case import read

MIB = 1 << 20
COLUMNS = ['link', 'inter', 'gpus_per_node', 'nics_per_node', 'operation', 'members', 'per_node', 'bytes', 'algorithm',
           'timed', 'time_us', 'system']
MORE_COLUMNS = ['buffers', 'caller']  # where a row has them
# By what the list of systems says of their links; others have no class in the library.
SWITCHED = {'A100': 'nvlink3', 'H100': 'nvlink4', 'H200': 'nvlink4', 'B200': 'nvlink5'}
BETWEEN = {'NDR InfiniBand': 'ib-ndr', 'XDR InfiniBand': 'ib-xdr', 'EFA, 400 Gb/s': 'efa', 'EFA, 3200 Gb/s': 'efa-v2',
           'EFA v3': 'efa-v3', 'RoCE': 'roce-100g', 'GPUDirect-TCPXO': 'tcpxo',
           'unknown; 2 nodes x 1 GPU send_recv saturates near 36 GB/s': 'ib-ndr'}  # nothing else is near
OPERATIONS = {'all_reduce': 'all-reduce', 'all_gather': 'all-gather', 'reduce_scatter': 'reduce-scatter',
              'all_to_all': 'all-to-all', 'send_recv': 'send'}
ALGORITHMS = {'auto': '', 'auto(nvls)': '', 'ring': 'ring', 'tree': 'tree', 'nvls': 'nvls', 'nvlstree': 'nvls'}
# Systems of the plots in ASTRA-sim's documentation.
PLOTTED = {'HGX H100': ('nvlink4', 'hgx_h100', 'ring'), 'HPE ProLiant, V100-SXM2 (NVLink2)': ('nvlink2-mesh', 'hpe_v100', '')}
# What NVIDIA's slides call the machines whose largest bus bandwidth they print: links inside and between, GPUs of a node.
SLIDES = {'V100 NVLink2': ('nvlink2-mesh', '', 8), 'A100 NVLink3': ('nvlink3', '', 8), 'H100 NVLink4': ('nvlink4', '', 8),
          'B200 NVLink5': ('nvlink5', '', 8), 'GB200 NVL72': ('nvlink5-nvl72', '', 72),
          'DGX A100 8x200Gb': ('nvlink3', 'ib-hdr', 8), 'DGX H100 8x400Gb': ('nvlink4', 'ib-ndr', 8)}
LARGE = 16 << 30  # bytes, of which no latency shows
BLIND = ['hpe_v100']  # systems that nothing is fitted to


def inside_class(system):
    link, gpu = system['intra_link'], system['gpu']
    if 'cube mesh' in link:
        return 'nvlink2-mesh'
    if 'between pairs' in link:
        return 'nvlink3-pairs' if gpu.startswith('A100') else None
    if '72-GPU' in link:
        return 'nvlink5-nvl72'
    return SWITCHED.get(gpu.split('-')[0]) if 'NVSwitch' in link else None


def between_class(system):
    return next((name for text, name in BETWEEN.items() if system['inter_link'].startswith(text)), None)


def of_the_library(system):
    return not any(other in system['notes'] for other in ('not NCCL', 'RCCL'))


def group(row, system):
    """A row of the table; None: the library has no such links, or the row no such meaning."""
    link, nodes, members = inside_class(system), int(row['nodes']), int(row['gpus'])
    inter = between_class(system) if nodes > 1 else ''
    known = (row['collective'] in OPERATIONS and row['algorithm'] in ALGORITHMS and row['size_bytes'] and row['time_us']
             and members % nodes == 0)
    if not (link and known and inter is not None and of_the_library(system)):
        return None
    small = row['collective'] == 'all_reduce' and int(row['size_bytes']) < MIB
    if small and system['source'].startswith('Vidur'):  # which scatter by 2 to 6
        return None
    own_cards = nodes > 1 and system['nics_per_node'] != system['gpus_per_node']
    several = row['collective'] == 'all_reduce'  # algorithms
    lone = 'torch' in system['notes'] and 'nccl-tests' not in system['notes']  # whose benchmark waits for each call
    return {'link': link, 'inter': inter, 'gpus_per_node': system['gpus_per_node'],
            'nics_per_node': system['nics_per_node'] if own_cards else '', 'operation': OPERATIONS[row['collective']],
            'members': members, 'per_node': members // nodes, 'bytes': row['size_bytes'],
            'algorithm': ALGORITHMS[row['algorithm']] if several else '', 'timed': 'call' if lone else '',
            'time_us': row['time_us'], 'system': row['system']}


def groups(data):
    systems = {system['system']: system for system in read(data, 'collectives_systems.csv')}
    found = [group(row, systems[row['system']]) for row in read(data, 'collectives.csv')]
    for row in read(data, 'astra_docs_allreduce.csv'):
        link, system, algorithm = PLOTTED.get(row['system'], ('', '', ''))
        if link and row['hardware_us']:
            found.append({'link': link, 'inter': '', 'gpus_per_node': 8, 'operation': 'all-reduce', 'members': row['gpus'],
                          'per_node': row['gpus'], 'bytes': row['size_bytes'], 'algorithm': algorithm,
                          'time_us': row['hardware_us'], 'system': system})
    return [row for row in found if row]


def peaks(data):
    """Bus bandwidths that are printed without a size, as times of large messages."""
    found = []
    for row in read(data, 'collectives.csv', system='nv_peak'):
        algorithm, _, machine = row['algorithm'].partition(' ')
        link, inter, gpus = SLIDES.get(machine.strip('[]'), (None, None, None))
        if not link or algorithm not in ALGORITHMS or row['collective'] not in OPERATIONS:
            continue
        n, rounds = int(row['gpus']), 2 if row['collective'] == 'all_reduce' else 1
        found.append({'link': link, 'inter': inter, 'gpus_per_node': gpus, 'operation': OPERATIONS[row['collective']],
                      'members': n, 'per_node': min(n, gpus), 'bytes': LARGE, 'algorithm': ALGORITHMS[algorithm],
                      'time_us': rounds * (n - 1) / n * LARGE / float(row['busbw_GBps']) / 1e3, 'system': 'nv_peak'})
    return found


def table(rows):
    columns = COLUMNS + [column for column in MORE_COLUMNS if any(column in row for row in rows)]
    return '\n'.join([','.join(columns)] + [','.join(str(row.get(c, '')) for c in columns) for row in rows]) + '\n'
