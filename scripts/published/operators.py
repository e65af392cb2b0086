"""Matrix products, collectives and the speedups of a DGX-1: no cases, the program compares them itself."""
import csv, json, os, subprocess, tempfile

from . import backends, kernels
from .case import Set, read
from .channels import on_channels
from .collectives import BLIND, MIB, groups, peaks, table
from .host_stacks import stacks
from .small_collectives import small_all_reduces, small_groups

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
TESTS = os.path.join(ROOT, 'tests', 'validation')


def asked(orrery, *arguments):
    done = subprocess.run([orrery, 'compute', *arguments, '--json'], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def roofline(orrery, device, table):
    found = asked(orrery, 'roofline', '--device', device, '--shapes', table)['products']
    return [('%(batch)d x %(m)d x %(n)d x %(k)d %(datatype)s' % p, p['measured_us'], p['time_us']) for p in found]


def fitted_products(device):
    return lambda orrery, data: roofline(orrery, device, os.path.join(TESTS, 'gemm-%s.csv' % device))


def products(table, devices, **wanted):
    """Of a table of DATA, on devices by the names of their GPUs there."""
    def pairs(orrery, data):
        result = []
        for gpu, device in devices.items():
            rows = read(data, table, gpu=gpu, **wanted)
            if not rows:
                continue
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, 'shapes.csv')
                with open(path, 'w') as file:
                    file.write('batch,m,n,k,datatype,time_us\n')
                    for row in rows:
                        file.write(','.join([row['batch'], row['M'], row['N'], row['K'], row.get('precision', 'fp32'),
                                             row['time_us']]) + '\n')
                result += roofline(orrery, device, path)
        return result
    return pairs


def report_of_groups(orrery, rows, library):
    """What the program says of the groups of a table."""
    if not rows:
        return {'costs': []}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'groups.csv')
        with open(path, 'w') as file:
            file.write(table(rows))
        return asked(orrery, 'collective', '--library', library, '--groups', path)


def costs(orrery, rows, library='nccl'):
    return [('%(operation)s of %(bytes)d among %(members)d on %(link)s' % c, c['measured_us'], c['time_us'])
            for c in report_of_groups(orrery, rows, library)['costs']]


def collectives(inside, between='', least=MIB, most=1 << 60, kinds=('all-reduce',), blind=False):
    """Of one class of links, of so many bytes; blind: of the systems that nothing is fitted to, else of the others."""
    return lambda orrery, data: costs(orrery, [
        row for row in groups(data)
        if (row['link'], row['inter']) == (inside, between) and least <= int(row['bytes']) <= most
        and row['operation'] in kinds and (row['system'] in BLIND) == blind])


def large_on_slingshot(orrery, data):
    return costs(orrery, [row for row in small_groups(data) if row['inter'] == 'slingshot' and row['bytes'] >= 4 * MIB])


def small(inside, between=''):
    return lambda orrery, data: costs(orrery, small_all_reduces(data, inside, between))


def of_backend(links, library, rows, buffers='cpu', kinds=backends.ALGORITHMS):
    """Of one class of links between nodes, or of several inside them, from 64 KiB on."""
    chosen = lambda row: ((row['inter'] or row['link']) in links and row['buffers'] == buffers
                          and row['operation'] in kinds)
    return lambda orrery, data: costs(orrery, [row for row in rows(data) if chosen(row)], library)


def backend_line(name, tier, constants, links, library, rows, *choice):
    return Set('%s, from 64 KiB (median)' % name, tier, constants,
               pairs=of_backend(links, library, rows, *choice), median=True)


def mpi_line(name, constants, *links, buffers='cpu'):
    return backend_line('MPI, ' + name, 'T2', constants, links, 'mpi', backends.mpi_groups, buffers)


def nccl_line(name, constants, kind, *links):
    return backend_line('NCCL, ' + name, 'T2', constants, links, 'nccl', backends.nccl_groups, 'gpu', [kind])


def dgx1(orrery, data):
    """Speedups that are printed as such, not as bounds."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([orrery, 'run', os.path.join(ROOT, 'examples', 'dgx1-scaling.yaml'), '--json', '--output', folder],
                       check=True, capture_output=True)
        with open(os.path.join(folder, 'dgx1-scaling', 'comparisons.csv')) as file:
            simulated = {row['run']: float(row['simulated']) for row in csv.DictReader(file)
                         if row['quantity'] == 'speedup'}
    return [(row['id'], float(row['value']), simulated['-'.join((row['network'], row['method'], row['gpus']))])
            for row in read(data, 'dgx1_2018_speedup.csv', relation='=')
            if row['quantity'].startswith('strong-scaling')]


def line(name, tier, constants, pairs):
    return Set(name, tier, constants, pairs=pairs)


def small_line(links, constants, *classes):
    return Set('All-reduce below 1 MiB, %s (median)' % links, 'T2', constants, pairs=small(*classes), median=True)


SETS = [
    line('Matrix products, A100, fp16', 'T2', 6, fitted_products('a100')),
    line('Matrix products, H100, fp16', 'T2', 8, fitted_products('h100')),
    line('Matrix products, V100, fp16', 'T2', 6, fitted_products('v100')),
    line('Matrix products, V100, fp32', 'T2', 6,
         products('gemm.csv', {'V100-SXM2 (DGX-1)': 'v100'}, source='deepbench', precision='fp32')),
    line('Matrix products, H100, fp32', 'T2', 6, products('gemm_fp32_tiles.csv', {'H100-SXM5-80GB': 'h100'})),
    line('Matrix products, A100 of 40 GB, fp32', 'T2', 6,
         products('gemm_fp32_tiles.csv', {'A100-PCIe-40GB': 'a100-40gb'})),
    *kernels.SETS,
    line('Fastest products found, H200, GB200, MI300X', 'T0', 0,
         products('gemm.csv', {'H200-SXM5': 'h200', 'GB200': 'b200', 'MI300X': 'mi300x'}, source='mamf')),
    line('All-reduce, one A100 node, 1 MiB to 1 GiB', 'T2', 4, collectives('nvlink3', most=1024 * MIB)),
    line('All-reduce, one H100 or H200 node, 1 MiB to 1 GiB', 'T2', 4, collectives('nvlink4', most=1024 * MIB)),
    line('All-reduce, one B200 node', 'T2', 4, collectives('nvlink5')),
    line('All-reduce, one GB200 rack', 'T2', 1, collectives('nvlink5-nvl72')),
    line('All-reduce, one DGX-1 V100', 'T2', 3, collectives('nvlink2-mesh')),
    line('All-reduce, one HPE server of V100', 'T1', 3, collectives('nvlink2-mesh', blind=True)),
    line('All-reduce, A100 in pairs', 'T2', 1, collectives('nvlink3-pairs')),
    line('All-reduce, H100 nodes, NDR InfiniBand, from 4 MiB', 'T2', 3, collectives('nvlink4', 'ib-ndr', 4 * MIB)),
    line('All-reduce, GB200 racks, XDR InfiniBand, from 4 MiB', 'T2', 1,
         collectives('nvlink5-nvl72', 'ib-xdr', 4 * MIB)),
    line('All-reduce, A100 nodes, EFA, from 4 MiB', 'T2', 3, collectives('nvlink3', 'efa', 4 * MIB)),
    line('All-reduce, H200 nodes, EFA 3, from 4 MiB', 'T1', 0, collectives('nvlink4', 'efa-v3', 4 * MIB)),
    line('All-reduce, A100 nodes, RoCE, from 4 MiB', 'T2', 2, collectives('nvlink3', 'roce-100g', 4 * MIB)),
    line('All-reduce, H100 nodes, EFA 2, from 4 MiB', 'T1', 0, collectives('nvlink4', 'efa-v2', 4 * MIB)),
    line('All-gather, H100 nodes, TCPXO, from 4 MiB', 'T1', 0,
         collectives('nvlink4', 'tcpxo', 4 * MIB, kinds=('all-gather',))),
    small_line('one A100 node', 0, ['nvlink3']),
    small_line('one node of H100, H200, H20 or GH200', 0, ['nvlink4']),
    small_line('one B200 node', 0, ['nvlink5']),
    small_line('four V100', 2, ['nvlink2-quad']),
    small_line('A100 nodes, HDR InfiniBand', 0, ['nvlink3'], 'ib-hdr'),
    small_line('H100 and GB10 nodes, cards of 200 Gbit/s', 0, ['nvlink4'], 'ib-hdr'),
    small_line('B200 and H20 nodes, NDR InfiniBand', 0, ['nvlink5', 'nvlink4'], 'ib-ndr'),
    small_line('GH200 nodes, Slingshot', 2, ['nvlink4'], 'slingshot'),
    line('All-reduce, GH200 nodes, Slingshot, from 4 MiB', 'T2', 2, large_on_slingshot),
    small_line('A100 and V100 nodes, EFA', 1, ['nvlink3', 'nvlink2-mesh'], 'efa'),
    small_line('V100 and A40 nodes, cards of 100 Gbit/s', 0, ['nvlink2-quad', 'nvlink3'], 'roce-100g'),
    line('Bus bandwidth of large messages, NVIDIA slides', 'T1', 3, lambda orrery, data: costs(orrery, peaks(data))),
    line('All-gather and reduce-scatter, one H200 node', 'T1', 4,
         collectives('nvlink4', kinds=('all-gather', 'reduce-scatter'))),
    mpi_line('memory of a host', 8, 'xeon-skylake', 'xeon-ice-lake'),
    mpi_line('EDR InfiniBand', 7, 'ib-edr'),
    mpi_line('HDR100 InfiniBand', 6, 'ib-hdr100'),
    mpi_line('HDR InfiniBand', 6, 'ib-hdr'),
    mpi_line('NDR200 InfiniBand', 6, 'ib-ndr200'),
    mpi_line('Slingshot', 3, 'slingshot'),
    mpi_line('rings on Tofu', 3, 'tofu-d'),
    mpi_line('EFA', 2, 'efa'),
    mpi_line('sockets', 5, 'tcp'),
    mpi_line('all-reduces of GPUs, copied by hosts', 1, 'xeon-skylake', 'xeon-ice-lake', 'ib-edr', 'ib-hdr', buffers='gpu'),
    backend_line('Gloo, all-reduce over sockets', 'T1', 2, ['tcp'], 'gloo', backends.gloo_groups),
    nccl_line('all-reduce, one node of A100, V100 or GH200', 4, 'all-reduce', 'nvlink3', 'nvlink2-quad', 'nvlink4'),
    nccl_line('all-reduce, HDR InfiniBand and NDR200', 0, 'all-reduce', 'ib-hdr'),
    nccl_line('all-reduce, EDR InfiniBand', 0, 'all-reduce', 'roce-100g'),
    nccl_line('all-reduce, Slingshot', 4, 'all-reduce', 'slingshot'),
    nccl_line('broadcast, one node of A100', 4, 'broadcast', 'nvlink3'),
    nccl_line('broadcast, EDR and HDR InfiniBand', 0, 'broadcast', 'roce-100g', 'ib-hdr'),
    line('On channels: all-reduce, one A100 node, 1 to 32 MiB', 'T2', 3, on_channels('nvlink3', most=32 * MIB)),
    line('On channels: all-reduce, one A100 node, from 64 MiB', 'T2', 3, on_channels('nvlink3', least=64 * MIB)),
    line('On channels: all-reduce, one H100 or H200 node, 1 to 32 MiB', 'T2', 3, on_channels('nvlink4', most=32 * MIB)),
    line('On channels: all-reduce, one H100 or H200 node, from 64 MiB', 'T2', 3,
         on_channels('nvlink4', least=64 * MIB)),
    line('On channels: all-reduce, one DGX-1 V100, 1 to 32 MiB', 'T2', 3, on_channels('nvlink2-mesh', most=32 * MIB)),
    line('On channels: all-reduce, one DGX-1 V100, from 64 MiB', 'T2', 3, on_channels('nvlink2-mesh', least=64 * MIB)),
    line('On channels: all-reduce, A100 nodes, RoCE', 'T2', 3, on_channels('nvlink3', ('roce-100g',))),
    line('On channels: all-reduce, H100 nodes, NDR InfiniBand, 4 to 128 MiB', 'T2', 3,
         on_channels('nvlink4', ('ib-ndr',), 4 * MIB, 128 * MIB)),
    line('On channels: all-reduce, H100 nodes, NDR InfiniBand, from 256 MiB', 'T2', 3,
         on_channels('nvlink4', ('ib-ndr',), 256 * MIB)),
    line('Sends inside an A100 node', 'T2', 1, collectives('nvlink3', kinds=('send',))),
    line('Sends inside an H100 node', 'T2', 1, collectives('nvlink4', kinds=('send',))),
    line('Sends between H100 nodes', 'T2', 2, collectives('nvlink4', 'ib-ndr', kinds=('send',))),
    line('DGX-1 2018, speedups', 'T2', 4, dgx1),
    line('Host stacks, latency of 8 bytes', 'T2', 2, stacks('latency', read)),
    line('Host stacks, bandwidth of large messages', 'T2', 2, stacks('bandwidth', read)),
]
