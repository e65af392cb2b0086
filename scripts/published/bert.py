"""Sequences per second of BERT Large as MLPerf trains it, on V100 and A100."""
import math, statistics

from .case import Case, Set, read, runs, whole, workload
from .recipes import machine

# Lengths of the sequences that BERT is trained on, twelve of equal frequency: means over twelfths of the histogram that
# Graphcore printed for "Efficient sequence packing without cross-contamination" (Krell et al., 2021). The code removes
# padding (`--unpad` in every configuration of the submissions).
LENGTHS = [33, 53, 73, 98, 132, 177, 236, 315, 420, 509, 512, 512]

# Device, links inside a machine, those between machines, and memory.
GPUS = {'V100-SXM2-16GB': ('v100-16gb', 'nvlink2-mesh', 'roce-100g', 16e9),
        'V100-SXM3-32GB': ('v100', '150 GB/s', 'roce-100g', 32e9),
        'A100-SXM4-40GB': ('a100-40gb', 'nvlink3', 'ib-hdr', 40e9),
        'A100-SXM4-80GB': ('a100', 'nvlink3', 'ib-hdr', 80e9)}
HALF_AS_FAST = 'mld_v1.0_Supermicro_SYS-420GP-TNAR+_bert'  # as four others with these GPUs and this batch
ROUND_0_7 = 'mld_v0.7_'  # without `--dense_seq_output`: the head worked on all 512 places; attention was not fused
ACCUMULATION_OF_0_7 = {'mld_v0.7_NVIDIA_dgx1_ngc20.06_pytorch_bert': 6}  # GRADIENT_STEPS of the configurations; else 1


def lengths_of_fullest(sequences, ranks):
    """The expected lengths on the rank with the most tokens, where nobody evens them out.

    A sum of many lengths is nearly normal; the largest of n normal numbers is expected at the quantile 1 - 0.5264^(1/n) from
    above (Chen and Tyler, 1999). Long sequences are added until the mean is as large.
    """
    mean = statistics.mean(LENGTHS)
    deviation = statistics.pstdev(LENGTHS) / math.sqrt(sequences)
    wanted = mean + deviation * statistics.NormalDist().inv_cdf(0.5264 ** (1 / ranks))
    longer = (wanted - mean) / (512 - wanted)  # sequences of 512 tokens to be added for each
    return LENGTHS * 10 + [512] * round(10 * len(LENGTHS) * longer)


def bert(gpu, first, machines):
    """Of several machines only NVIDIA's, whose network is known."""
    def cases(data, models):
        for row in read(data, 'mlperf_bert_nvidia.csv'):
            if row['gpu'] not in GPUS or not row['gpu'].startswith(gpu) or row['id'].startswith(ROUND_0_7) != first:
                continue
            if row['id'] == HALF_AS_FAST:
                continue
            count, per_node = int(row['system'].split()[0]), int(row['system'].split()[2])
            if (count > 1) not in machines or (count > 1 and 'NVIDIA_dgx' not in row['id']):
                continue
            device, inside, between, memory = GPUS[row['gpu']]
            batch, ranks = whole(row, 'batch_per_gpu'), whole(row, 'gpus')
            accumulation = ACCUMULATION_OF_0_7.get(row['id'], 1) if first else int(row['notes'].split()[-1])
            more = {'lengths': LENGTHS, 'attention': 'flash'}  # `--exchange_padding` evens tokens out
            if first:
                more = {'lengths': lengths_of_fullest(batch, ranks), 'attention': 'naive', 'predictions': 512}
            choice = workload('bert-large', batch * ranks, batch // accumulation, data=ranks, datatype='fp16',
                              precision='mixed', **more)
            platform = machine(device, inside, between, stack='mlperf-bert',
                               **{'gpus-per-node': per_node, 'nics-per-node': 8})
            yield Case(row['id'], runs(platform, [choice]), float(row['value']), batch * ranks, memory)
    return cases


SETS = [
    Set('BERT Large of MLPerf 1.0 to 3.0, A100', 'T2', 1, bert('A100', False, (False,)), software='mlperf-bert'),
    Set('BERT Large of MLPerf 1.0 to 3.0, several DGX A100', 'T2', 1, bert('A100', False, (True,)), software='mlperf-bert'),
    Set('BERT Large of MLPerf 0.7, A100', 'T2', 1, bert('A100', True, (False, True)), software='mlperf-bert'),
    Set('BERT Large of MLPerf 0.7, V100', 'T2', 1, bert('V100', True, (False, True)), software='mlperf-bert'),
]
