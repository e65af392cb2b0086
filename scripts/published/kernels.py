"""Measured times of attention and of operators without products, and what the program says of them."""
import csv, json, os, re, subprocess, tempfile
from typing import NamedTuple

from .case import SHARE, Set, read

# Devices that are in no catalogue, as changes to one that is.
DEVICES = {
    'A100': ('a100', {}),
    'H100': ('h100', {}),
    'H100-PCIe': ('h100', {'fp8': '1513 TFLOP/s', 'fp16': '756 TFLOP/s', 'bf16': '756 TFLOP/s', 'fp32': '51 TFLOP/s',
                           'bandwidth': '2039 GB/s', 'processors': '114'}),
    'H20': ('h200', {'fp8': '296 TFLOP/s', 'fp16': '148 TFLOP/s', 'bf16': '148 TFLOP/s', 'fp32': '44 TFLOP/s',
                     'bandwidth': '4000 GB/s', 'processors': '78'}),
    'H200': ('h200', {}),
    'B200': ('b200', {}),
    'GB200': ('b200', {'fp8': '5000 TFLOP/s', 'fp16': '2500 TFLOP/s', 'bf16': '2500 TFLOP/s'}),
    # Its special function units are twice as many.
    'GB300': ('b200', {'fp8': '5000 TFLOP/s', 'fp16': '2500 TFLOP/s', 'bf16': '2500 TFLOP/s',
                       'exponential-rate': '10 TFLOP/s'}),
}
GENERATION = {'A100': 'ampere', 'H100': 'hopper', 'H100-PCIe': 'hopper', 'H20': 'hopper', 'H200': 'hopper',
              'B200': 'blackwell', 'GB200': 'blackwell', 'GB300': 'blackwell'}
COLUMNS = ['kind', 'backward', 'queries', 'keys', 'heads', 'kv_heads', 'width', 'value_width', 'causal', 'read',
           'written', 'datatype']


class Kernel(NamedTuple):
    """A measured row: operators that ran one after another on a device."""
    name: str
    source: str
    gpu: str  # of DEVICES
    software: str  # a file of share/orrery/attention or share/orrery/pointwise
    shape: tuple  # rows of the same shape are left out together
    operators: list  # maps of COLUMNS
    measured: float  # seconds
    launched_by: str = ''  # 'backward' or 'full': a Python function whose host time the row contains


def device_text(gpu):
    base, changes = DEVICES[gpu]
    with open(os.path.join(SHARE, 'devices', base + '.yaml')) as file:
        text = file.read()
    for key, value in changes.items():
        changed, found = re.subn(r'(?m)^( *%s: ).*' % key, r'\g<1>%s' % value, text, count=1)
        text = changed if found else text + '%s: %s\n' % (key, value)
    return text


def times(orrery, rows, kind):
    """Seconds of each row; `kind` is the flag that names the software."""
    found = {}
    for gpu, software in sorted({(row.gpu, row.software) for row in rows}):
        chosen = [i for i, row in enumerate(rows) if (row.gpu, row.software) == (gpu, software)]
        with tempfile.TemporaryDirectory() as folder:
            device, table = os.path.join(folder, 'device.yaml'), os.path.join(folder, 'kernels.csv')
            with open(device, 'w') as file:
                file.write(device_text(gpu))
            with open(table, 'w', newline='') as file:
                writer = csv.DictWriter(file, COLUMNS)
                writer.writeheader()
                for i in chosen:
                    writer.writerows(rows[i].operators)
            out = subprocess.run([orrery, 'compute', 'kernels', '--device', device, '--table', table, '--' + kind,
                                  software, '--json'], check=True, capture_output=True, text=True).stdout
        each = iter(json.loads(out)['kernels'])
        for i in chosen:
            found[i] = sum(next(each)['time_us'] for _ in rows[i].operators) * 1e-6
    return [found[i] for i in range(len(rows))]


# Attention

GPUS = [('MFU printed against 2250', 'B200'), ('MFU printed against 2500', 'GB200'), ('PCIe', 'H100-PCIe'),
        ('GB200', 'GB200'), ('GB300', 'GB300'), ('H200', 'H200'), ('H20 ', 'H20'), ('H100', 'H100'), ('A100', 'A100')]
FORMATS = {'bfloat16': 'bf16', 'bf16': 'bf16', 'fp16': 'fp16', 'fp16/bf16': 'fp16', 'bf16/fp16': 'fp16', 'fp8': 'fp8'}


def gpu_of(text):
    return next(gpu for part, gpu in GPUS if part in text)


def implementation(row):
    text = row['implementation'].lower()
    generation = GENERATION[gpu_of(row['gpu'])]
    if text.startswith('flashattention-2'):
        return 'flash-attention-2' if generation == 'ampere' else 'flash-attention-2-' + generation
    if text.startswith(('flashattention-3', 'flashattention-4')):
        return 'flash-attention-' + text[15]
    return 'cudnn-' + generation if text == 'cudnn' else ''


def attention_row(row, software):
    """Heads are those of FlashAttention's benchmarks where they are not printed: 2,048 elements of all heads."""
    width, batch, length = int(row['head_dim_qk']), int(row['batch']), int(row['seqlen'])
    value_width = int(row['head_dim_v'])
    heads = int(float(row['q_heads'] or 2048 // width))
    kv_heads = int(float(row['kv_heads'] or heads))
    causal = row['causal'] == 'yes'
    operators = [{'kind': 'attention', 'backward': 'true' if backward else 'false', 'queries': length, 'keys': length,
                  'heads': batch * heads, 'kv_heads': batch * kv_heads, 'width': width, 'value_width': value_width,
                  'causal': 'true' if causal else 'false', 'datatype': FORMATS[row['precision']]}
                 for backward in (False, True) if ('bwd' if backward else 'fwd') in row['direction']]
    if row['time_ms']:
        seconds = float(row['time_ms']) * 1e-3
    else:  # by the convention of the printed rate: two products forward, five backward
        products = 2 * ('fwd' in row['direction']) + 5 * ('bwd' in row['direction'])
        pairs = batch * heads * length * length * (0.5 if causal else 1)
        seconds = products * 2 * pairs * width / (float(row['tflops']) * 1e12)
    return Kernel(row['id'], row['source'], gpu_of(row['gpu']), software,
                  (heads, width, value_width, length, causal), operators, seconds)


def attention_rows(data):
    """Left out: several GPUs, windows and mxfp8, which operators do not have, and implementations without a file."""
    rows = []
    for row in read(data, 'attention.csv'):
        if row['gpu'].startswith('8x') or row['sliding_window'] or row['precision'] not in FORMATS:
            continue
        software = implementation(row)
        if software:
            rows.append(attention_row(row, software))
    return rows


# Operators without products

BACKENDS = {'cudnn': 'fused', 'pytorch': 'eager', 'torch_compile': 'compiled'}
BYTES = {'torch.float32': 4, 'torch.bfloat16': 2}
FP32, BF16 = 'fp32', 'bf16'


def norm(elements, datatype):
    """The forward pass, and the backward one: gradients of activations, and those of weights."""
    return ([('norm', False, elements, elements)], [('norm', True, 2 * elements, elements), ('norm', True, 2 * elements, 1)],
            datatype)


def both(kind, elements, datatype):
    return ([(kind, False, elements, elements)], [(kind, True, elements, elements)], datatype)


def with_residual(parts, elements, fused):
    """The sum before a norm; fused with it, it is read and written once."""
    forward, backward, datatype = parts
    more = [('norm', True, elements, 1)] if fused else [('other', True, elements, elements)]
    if fused:
        return [('norm', False, 2 * elements, 2 * elements)], backward + more, datatype
    return forward + [('other', False, 2 * elements, elements)], backward + more, datatype


def operators_of(parts, datatype):
    return [{'kind': kind, 'backward': 'true' if backward else 'false', 'read': round(reads), 'written': round(writes),
             'datatype': datatype} for kind, backward, reads, writes in parts]


def liger_parts(row):
    """The operators of a row and its level; the eager norms and rotary embeddings are composed of many operators."""
    config, size, fused = json.loads(row['config']), int(row['x_value']), row['provider'] != 'huggingface'
    datatype = FP32 if config.get('dtype', 'torch.float32') == 'torch.float32' else BF16
    kernel = row['kernel']
    if kernel == 'cross_entropy':
        return both('loss', config['B'] * config['T'] * size, FP32), 'fused' if fused else 'eager'
    if kernel == 'layer_norm':
        return norm(config['M'] * size, datatype), 'fused' if fused else 'eager'
    if kernel == 'rms_norm':
        return norm(config['M'] * size, datatype), 'fused' if fused else 'composed'
    if kernel == 'fused_add_rms_norm':
        elements = config['M'] * size
        return with_residual(norm(elements, datatype), elements, fused), 'fused' if fused else 'composed'
    if kernel == 'rope':
        width, length = config.get('hidden_size') or size, config.get('seq_len') or size
        elements = width * length * (1 + config['num_kv_heads'] / config['num_q_heads'])
        return both('rotary', elements, datatype), 'fused' if fused else 'composed'
    return None, None  # these have products, or loops over experts


def pointwise_rows(data):
    rows = []
    for row in read(data, 'norms.csv'):
        size = (int(row['rows_N']), int(row['cols_C']))
        forward, backward, datatype = norm(size[0] * size[1], BF16)
        for time, parts in (('fwd_ms', forward), ('bwd_ms', backward)):
            rows.append(Kernel(row['id'] + '_' + time[:3], row['source'], row['gpu'].split()[-1], BACKENDS[row['backend']],
                               size, operators_of(parts, datatype), float(row[time]) * 1e-3))
    for row in read(data, 'kernels_liger.csv'):
        parts, level = liger_parts(row)
        if not parts or row['provider'] == 'liger_rms_norm':  # which has a norm of one level, a sum of another
            continue
        forward, backward, datatype = parts
        chosen = {'forward': forward, 'backward': backward, 'full': forward + backward}[row['direction']]
        # Of the fused kernels and of composed ones Python functions are called, of eager ones none.
        host = '' if level == 'eager' or row['direction'] == 'forward' else row['direction']
        rows.append(Kernel(row['id'], row['source'], 'A100' if 'A100' in row['gpu'] else 'H100', level,
                           (row['kernel'], row['x_name'], row['config'], int(row['x_value'])),
                           operators_of(chosen, datatype), float(row['time_ms']) * 1e-3, host))
    return rows


# What the host takes to launch the functions of Liger's benchmark, in seconds; scripts/fit-kernels finds it.
HOST = {'': 0, 'backward': 1.215e-4, 'full': 2.786e-4}


def pairs_of(rows_of, kind, chosen):
    def pairs(orrery, data):
        rows = [row for row in rows_of(data) if chosen(row)]
        return [(row.name, row.measured, max(seconds, HOST[row.launched_by]))
                for row, seconds in zip(rows, times(orrery, rows, kind))] if rows else []
    return pairs


def attention_line(name, constants, *software):
    return Set('Attention, %s (median)' % name, 'T2', constants, median=True,
               pairs=pairs_of(attention_rows, 'attention-kernel', lambda row: row.software in software))


def pointwise_line(name, constants, level):
    return Set('Norms, rotary embeddings and losses, %s (median)' % name, 'T2', constants, median=True,
               pairs=pairs_of(pointwise_rows, 'pointwise', lambda row: row.software == level))


SETS = [
    attention_line('FlashAttention-2, A100 and H100', 3, 'flash-attention-2', 'flash-attention-2-hopper'),
    attention_line('FlashAttention-3, H100', 2, 'flash-attention-3'),
    attention_line('FlashAttention-4, Blackwell', 1, 'flash-attention-4'),
    attention_line('cuDNN, Hopper', 3, 'cudnn-hopper'),
    attention_line('cuDNN, Blackwell', 4, 'cudnn-blackwell'),
    pointwise_line('fused', 5, 'fused'),
    pointwise_line('compiled', 2, 'compiled'),
    pointwise_line('eager', 3, 'eager'),
    pointwise_line('composed', 4, 'composed'),
]
