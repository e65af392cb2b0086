"""All-reduces of the Themis paper (Rashidi et al., ISCA 2022), which simulated them: figures 8 and 10."""
import csv, json, os, subprocess, tempfile

from .case import Set, read

BLOCKS = {'Ring': 'ring', 'Switch': 'switch', 'FullyConnected': 'fully-connected'}
ALGORITHMS = {'Ring': 'ring', 'Switch': 'halving-doubling', 'FullyConnected': 'direct'}
ORDERS = {'baseline': {},
          'themis_fifo': {'dimension-order': 'themis'},
          'themis_scf': {'dimension-order': 'themis', 'queue-order': 'smallest-first'}}
# The times of figure 10 hold this besides the collective, whatever its chunks; those of figure 8 hold 10 to 20 us.
BESIDES_US = 19.75


def dimensions(data, topology):
    rows = read(data, 'astra_topologies.csv', topology=topology)
    return sorted((row for row in rows if 'artifact' in row['source']), key=lambda row: int(row['dim']))


# The paper's artifact has links of 1 ns, and 2^30 bytes in a GB.
def network(dims):
    return [{'name': 'dim' + d['dim'], 'topology': BLOCKS[d['building_block']], 'size': int(d['size']),
             'links': int(d['links_per_npu']), 'bandwidth': d['link_GBps'] + ' GiB/s', 'latency': '1 ns'} for d in dims]


def system(dims, scheduler, chunks):
    return {'collectives': {'all-reduce': [ALGORITHMS[d['building_block']] for d in dims]}, 'chunks': chunks,
            'endpoint-delay': '1 ns', **ORDERS[scheduler]}


def simulated_us(orrery, data, rows):
    """Times of all-reduces, by the rules of the simulator that the paper used."""
    runs = []
    for i, row in enumerate(rows):
        dims = dimensions(data, row['topology'])
        layer = {'name': 'gradients', 'delay': '0 ns', 'weight-gradient': {'collective': 'all-reduce', 'size': row['size_bytes'] + ' B'}}
        runs.append({'name': str(i), 'network': network(dims), 'workload': {'policy': 'data', 'layers': [layer]},
                     'system': system(dims, row['scheduler'], int(row.get('chunks') or 64))})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'themis.yaml')
        with open(path, 'w') as file:
            json.dump({'name': 'themis', 'dialect': 'astra-sim-1.0', 'runs': runs}, file)
        subprocess.run([orrery, 'run', path, '--output', folder], check=True, capture_output=True, text=True)
        with open(os.path.join(folder, 'themis', 'runs.csv')) as file:
            return [float(run['total_us']) for run in csv.DictReader(file)]


def all_reduces(scheduler):
    def pairs(orrery, data):
        rows = read(data, 'themis_allreduce.csv', scheduler=scheduler)
        times = simulated_us(orrery, data, rows) if rows else []
        return [(row['id'], float(row['time_us']), time) for row, time in zip(rows, times)]
    return pairs


def utilization(orrery, data):
    """Figure 10: the time that all dimensions together need at least, in per cent of the time."""
    rows = read(data, 'themis_chunks.csv')
    result = []
    for row, time in zip(rows, simulated_us(orrery, data, rows) if rows else []):
        dims = dimensions(data, row['topology'])
        npus = 1
        for d in dims:
            npus *= int(d['size'])
        rate = sum(float(d['link_GBps']) * int(d['links_per_npu']) for d in dims) * 2**30
        least_us = 2 * (npus - 1) / npus * float(row['size_bytes']) / rate * 1e6
        result.append((row['id'], float(row['bw_utilisation_pct']), 100 * least_us / (time + BESIDES_US)))
    return result


SETS = [
    Set('Themis 2022, figure 8, ascending order', 'T1', 0, pairs=all_reduces('baseline')),
    Set('Themis 2022, figure 8, Themis', 'T1', 0, pairs=all_reduces('themis_fifo')),
    Set('Themis 2022, figure 8, Themis, smallest chunks first', 'T1', 0, pairs=all_reduces('themis_scf')),
    Set('Themis 2022, figure 10, utilization by chunks', 'T2', 1, pairs=utilization, points=True),
]
