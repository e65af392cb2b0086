"""Measured all-reduces as flows on the channels of machines that are built as graphs."""
import json, os, re, subprocess, tempfile

from .case import SHARE
from .collectives import MIB, groups

LATENCY = '500 ns'  # of a link; assumed, and of no weight for sizes from a megabyte on


def link(gb_per_s):
    return {'bandwidth': '%g GB/s' % gb_per_s, 'latency': LATENCY}


def hgx(members, nvlink, switches, links, pcie, reduction, nics=False):
    """A box of `members` GPUs; those that a row leaves out are left out here."""
    box = {'build': 'nvlink', 'size': members, 'switches': switches, 'links': links, 'link': link(nvlink),
           'reduction': reduction}
    if nics:
        box['nics'] = {'count': members, 'link': link(pcie)}
    return box


def network(row):
    """The machine of a row of a table of groups; None: it cannot be built. Through NVSwitches, NVLinks of 25 GB/s have
    what NCCL counts of them. Between two V100 they have what a copy reaches, 48.48 GB/s over two in p2p_gpu.csv
    (docs/models/channels.md)."""
    members, per_node = int(row['members']), int(row['per_node'])
    if row['link'] == 'nvlink2-mesh':
        return {'build': 'dgx-1v', 'nvlink': link(24.24), 'pcie': link(15.75), 'cpus': link(19.2)} if members == 8 else None
    if row['link'] not in ('nvlink3', 'nvlink4'):
        return None
    box = (20, 6, 12, 31.5, False) if row['link'] == 'nvlink3' else (20.6, 4, 18, 63, True)
    if members == per_node:
        return hgx(members, *box)
    cards = {'ib-ndr': 50, 'ib-hdr': 25, 'roce-100g': 25}.get(row['inter'])  # GB/s of a GPU's
    if not cards or per_node != 8:
        return None
    return {'build': 'rail-optimized', 'link': link(cards), 'levels': [{'size': members // per_node}],
            'inside': hgx(per_node, *box, nics=True)}


def lone_call():
    """What the host adds to a call that is timed by itself, which is no matter of channels."""
    with open(os.path.join(SHARE, 'libraries', 'nccl.yaml')) as file:
        return float(re.search(r'(?m)^lone-call: (\S+) us', file.read())[1])


def run(row, built):
    layer = {'name': 'a', 'weight-gradient': {'collective': 'all-reduce', 'size': '%d B' % int(row['bytes'])}}
    return {'network': built, 'system': {'channels': True}, 'workload': {'layers': [layer]}}


def on_channels(inside, between=None, least=MIB, most=1 << 60, most_members=64):
    """All-reduces whose algorithm NCCL chose, of so many bytes, on one node or on several."""
    def pairs(orrery, data):
        rows = [(row, network(row)) for row in groups(data)
                if row['link'] == inside and row['operation'] == 'all-reduce' and not row['algorithm']
                and least <= int(row['bytes']) <= most and int(row['members']) <= most_members
                and (row['inter'] in between if between else row['members'] == row['per_node'])]
        rows = [(row, built) for row, built in rows if built]
        if not rows:
            return []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'experiment.yaml')
            with open(path, 'w') as file:
                json.dump({'name': 'channels', 'runs': [dict(run(row, built), name='r%d' % i)
                                                        for i, (row, built) in enumerate(rows)]}, file)
            done = subprocess.run([orrery, 'run', path, '--json', '--output', os.path.join(folder, 'out')], check=True,
                                  capture_output=True, text=True)
        found = json.loads(done.stdout)['runs']
        return [('%s MiB among %s, %s' % (int(row['bytes']) / MIB, row['members'], row['system']),
                 float(row['time_us']), ours['total_us'] + (lone_call() if row.get('timed') == 'call' else 0))
                for (row, _), ours in zip(rows, found)]
    return pairs
