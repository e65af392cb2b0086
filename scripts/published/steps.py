"""Training steps of language models as runs of an experiment: one reader of all tables that have the columns of `llm_training.csv`.

A row becomes what a user would write who knows what the row says: sizes of the model, machine, layout, batch, precision,
recomputation. What it does not say is what its framework does by default, or else the quickest choice that fits the memory.
"""
import math
import re
from typing import NamedTuple, Optional

from . import hardware
from .case import Case, balanced, can_interleave, device_of, read, whole, with_kernels, workload

TABLES = ['llm_training', 'training_more', 'aleph_alpha_layouts_a100', 'flagperf_nvidia', 'thunder_litgpt_h100',
          'torchtitan_more', 'mlperf_amd', 'mlperf_gpt3_tpu', 'neuron_trn1', 'intel_gaudi2', 'colossalai',
          'flash_attention_a100', 'modded_nanogpt_h100']
PRESETS = {'GPT3-175B': 'gpt3-175b', 'GPT3-5B': 'gpt3-5b', 'GPT3-20B': 'gpt3-20b', 'Llama3.1-405B': 'llama3-405b',
           'Llama3-70B': 'llama3-70b', 'Llama3-8B': 'llama3-8b', 'LLAMA2-7B': 'llama2-7b', 'LLAMA2-13B': 'llama2-13b',
           'Llama2-7B': 'llama2-7b', 'Llama2-34B': 'llama2-34b', 'LLAMA2-70B': 'llama2-70b', 'Nemotron-8B': 'nemotron-8b',
           'Nemotron-22B': 'nemotron-22b', 'Nemotron4-15B': 'nemotron4-15b', 'Nemotron4-340B': 'nemotron4-340b',
           'Grok1-314B': 'grok-1', 'GPT OSS 120B': 'gpt-oss-120b', 'Qwen3_30B_a3B': 'qwen3-30b-a3b',
           'Qwen3_235B_a22B': 'qwen3-235b-a22b', 'DeepSeek-V3': 'deepseek-v3'}


class Framework(NamedTuple):
    """What a framework does where a row does not say it."""
    name: str
    zero: int = 0
    sequence: bool = False  # whether tensor parallelism cuts what it leaves whole along the sequence
    precisions: tuple = ('mixed',)
    gpt_dropout: float = 0.0
    hopper: str = ''  # kernel of attention on Hopper, where that is not the device's


MEGATRON = Framework('Megatron', 1, True, ('mixed-fp32-gradients', 'mixed'))
MEGATRON_DEEPSPEED = Framework('Megatron-DeepSpeed', 1)
DEEPSPEED = Framework('DeepSpeed', 3)
# PyTorch's own attention, and what flash-attention's package had before its third version.
FLASH_2 = 'flash-attention-2-hopper'
FSDP = Framework('PyTorch FSDP', 3, True, hopper=FLASH_2)
# What wrote the rows of a set, by the beginning of the set's name.
FRAMEWORKS = {
    'dgxc_25.02_maxtext': Framework('MaxText', 3), 'jax_toolbox': Framework('MaxText', 3), 'maxtext': Framework('MaxText', 3),
    'tpu_': Framework('MaxText', 3), 'dgxc_': MEGATRON, 'mbridge_': MEGATRON, 'nemo_': MEGATRON, 'xtuner_qwen3': MEGATRON,
    'xtuner_long': DEEPSPEED, 'mosaicml': Framework('Composer', 3, hopper=FLASH_2), 'torchtitan': FSDP, 'torchao': FSDP,
    'fms_fsdp': FSDP, 'thunder': FSDP, 'litgpt': FSDP, 'internevo': Framework('InternEvo', 1),
    'aleph_alpha': Framework('Aleph Alpha', 1), 'mlperf_v': Framework('NeMo on ROCm', 1, True),
    'colossalai': Framework('Colossal-AI', 2, hopper=FLASH_2), 'flash_attention_training': Framework('flash-attention', 0),
    'modded_nanogpt': Framework('modded-nanogpt', 0),
    'dlperf_v100': Framework('DLPerf', 0, gpt_dropout=0.1)}
NOTED = {'Megatron-DeepSpeed': MEGATRON_DEEPSPEED, 'DeepSpeed': DEEPSPEED, 'PaddlePaddle': Framework('PaddlePaddle', 1),
         'Megatron-Core': MEGATRON, 'FlagScale': MEGATRON}
OLD = {'v100'}


class Step(NamedTuple):
    case: Case
    source: str
    framework: str
    gpu: str
    generation: str
    scope: str  # node, across
    model: str  # dense, moe
    precision: str
    gpus: int
    apart: Optional[str] = None  # why the row does not count among the steps of today's machines


class Unusable(Exception):
    """Why a row cannot be simulated."""


def framework(row):
    if row['set'] == 'flagperf':
        return next(value for word, value in NOTED.items() if row['notes'].startswith(word))
    found = [value for prefix, value in FRAMEWORKS.items() if row['set'].startswith(prefix)]
    if not found:
        raise Unusable('framework not known here')
    return found[0]


def number_format(text):
    for word, result in (('nvfp4', 'fp4'), ('fp8', 'fp8'), ('int8', 'int8'), ('bf16', 'bf16'), ('fp16', 'fp16')):
        if word in text:
            return result
    raise Unusable('precision not told')


def sharding(row, default):
    """(stages of ZeRO to choose from, ranks that share or 0 for all)"""
    text = row['sharding']
    group = re.search(r'FSDP=(\d+)|over (\d+) ranks', text)
    ranks = int(group[1] or group[2]) if group else 0
    if 'LoRA' in text:
        raise Unusable('LoRA, which the program does not have')
    stage = re.search(r'ZeRO-(\d)', text)
    if stage:
        return [int(stage[1])], ranks
    if 'stage not printed' in text:
        return [1, 3], 0
    for word, value in (('GRAD_OP', 2), ('FULL_SHARD', 3), ('FSDP', 3), ('Gemini', 3), ('distributed optimizer', 1)):
        if word in text:
            return [value], ranks
    return [0 if text in ('DP', 'none') else default], 0


def recomputations(row, kind):
    text = row['activation_policy']
    if not text or half(row, kind):
        return ['none', 'full']
    if text.startswith('full'):
        return ['full']
    if text.startswith(('none', 'minimal')):
        return ['none']
    if text.startswith('selective') or 'layernorm' in text:
        return ['selective']
    raise Unusable('recomputation is of a kind that the program does not have')


def half(row, kind):
    """Whether half of the products are computed again: of torchtitan's selective recomputation either kind does so."""
    return kind is FSDP and row['activation_policy'].startswith('selective')


def transformer(row, models, dropout):
    """(file, layers, whether it has experts)"""
    name = row['model']
    if name.startswith(('NemotronH', 'Nemotron_3')):
        raise Unusable('layers that are no attention (Mamba)')
    if row['set'] == 'mosaicml_mpt':
        return name.lower(), whole(row, 'layers'), False
    if name in PRESETS and not row.get('ffn_hidden'):
        layers = whole(row, 'layers', 0)  # proxies have fewer than the model
        preset = PRESETS[name]
        if layers:
            return models.changed('transformers', preset, layers=layers), layers, models.has_experts(preset)
        return preset, models.layers(preset), models.has_experts(preset)
    layers, hidden, heads, vocabulary = (whole(row, key, 0) for key in ('layers', 'hidden', 'heads', 'vocab'))
    if 0 in (layers, hidden, heads, vocabulary):
        raise Unusable('sizes of the model are not told')
    ffn, sequence, experts = whole(row, 'ffn_hidden', 4 * hidden), whole(row, 'seqlen'), whole(row, 'experts', 0)
    if 'bert' in name:
        raise Unusable('BERT, whose rows have a line of their own')
    if ffn == 4 * hidden and not experts:
        return models.gpt(layers, hidden, heads, vocabulary, sequence, dropout=dropout), layers, False
    sizes = {'layers': layers, 'hidden': hidden, 'heads': heads, 'kv-heads': whole(row, 'kv_heads', heads), 'ffn': ffn,
             'gated': True, 'vocabulary': vocabulary, 'sequence': sequence, 'rotary': True, 'norm': 'rms',
             'activation': 'silu'}
    if experts:
        sizes['mixture'] = {'experts': experts, 'experts-per-token': whole(row, 'top_k'), 'ffn': ffn}
    if name.lower().startswith('qwen3'):
        sizes.update({'query-key-norm': True, 'head-width': 128})
    return models.sized(sizes), layers, bool(experts)


def attention(row):
    return 'naive' if re.search(r'attention kernel: (torch|fused)\b', row['notes']) else 'flash'


def kernels(row, kind, gpu):
    """What is known of a row's kernels besides what its stack says."""
    found = {'attention-kernel': kind.hopper} if kind.hopper and gpu.generation == 'h100' else {}
    if kind.name == 'Aleph Alpha' and 'RMS kernel' not in row['notes']:
        found['pointwise'] = 'composed'  # as its library's RMSNorm is written
    return found


def layout(row):
    """Ranks of tensor, pipeline, context and data parallelism. Their product is the number of GPUs, or the row contradicts
    itself."""
    if not row['TP'] or not row['DP']:
        raise Unusable('layout not told')
    axes = [whole(row, key) for key in ('TP', 'PP', 'CP', 'DP')]
    if axes[0] * axes[1] * axes[2] * axes[3] != whole(row, 'gpus'):
        raise Unusable('printed layout cannot be')
    return axes


def measured(row, batch, sequence):
    """Seconds of a step."""
    if row['step_s']:
        return float(row['step_s'])
    if row['tokens_per_s_per_gpu']:
        return batch * sequence / whole(row, 'gpus') / float(row['tokens_per_s_per_gpu'])
    raise Unusable('neither step nor rate is told')


def choices(row, models, kind):
    """Each (workload, seconds measured) that the row may have been, and whether the model has experts."""
    tensor, pipeline, context, data = layout(row)
    model, layers, experts = transformer(row, models, kind.gpt_dropout)
    sequence, virtual, micro = whole(row, 'seqlen'), whole(row, 'virtual_stages'), whole(row, 'microbatch', 0)
    stages, group = sharding(row, kind.zero)
    told = re.search(r'sequence parallel: (yes|no)', row['notes'])
    # Experts on more ranks than data parallelism has are on those of tensor parallelism, too.
    axes = {'context': context, 'expert': min(whole(row, 'EP'), data * context)}
    if context > 1 and ('Ulysses' in row['notes'] or kind is FSDP):
        axes['context-exchange'] = 'all-gather' if kind is FSDP else 'all-to-all'
    if kind is FSDP and pipeline > 1:
        # torchtitan's batch of a rank is cut into as many micro-batches as there are ranks in a pipeline, whose weights stay
        # gathered and whose gradients are exchanged once. Interleaved means two stages a rank.
        micro, stages, virtual = micro // pipeline, [1], 2 if 'interleaved' in row['notes'] else 1
    if group and group != data and context * data % group == 0:
        axes['shard'] = group
    more = {'overlap': {'gradients': False, 'parameters': False}} if 'not overlapped' in row['notes'] else {}
    if kind is MEGATRON and virtual > 1:
        more.setdefault('overlap', {})['messages'] = True  # of its interleaved schedule, unless one asks for another
    found = []
    for each in [micro] if micro else [1, 2, 4, 8, 16, 32]:
        batch = whole(row, 'global_batch_seqs', each * data)
        if batch % (each * data) or not can_interleave(layers, pipeline, 1, batch // (each * data)):
            continue
        for zero in stages:
            for recompute in recomputations(row, kind):
                for precision in kind.precisions:
                    if zero == 0 or data * context == 1:
                        axes.pop('shard', None)
                    found.append((workload(
                        model, batch, each, tensor, pipeline, data, virtual, zero, recompute,
                        told[1] == 'yes' if told else kind.sequence, attention(row), number_format(row['precision']),
                        balanced(layers, pipeline * virtual), sequence, dict(axes), precision=precision, **more),
                        measured(row, batch, sequence)))
    if not found:
        raise Unusable('printed layout cannot be')
    return found, experts


def source_of(name):
    """Whose rows a set's are: releases and tables of one project are one source."""
    found = re.match(r'(dgxc|mbridge|nemo|torchtitan|internevo|mlperf|vtrain|megatron2021)_?', name)
    return found[1] if found else name


def step(row, models):
    if row['gpu'] not in hardware.GPUS:
        raise Unusable('no device file, or the GPU is not told')
    gpu, kind = hardware.GPUS[row['gpu']], framework(row)
    found, experts = choices(row, models, kind)
    machine = hardware.platform(row, models)
    runs = [{'platform': machine, 'workload': each} for each, _ in found]
    own = kernels(row, kind, gpu)
    if own:
        runs = [with_kernels(run, own) for run in runs]
    # Runs without and with recomputation lie next to each other, as far apart as there are precisions.
    apart, partial = len(kind.precisions), ()
    if len(recomputations(row, kind)) == 2:
        partial = tuple((i, i + apart, 0.5 if half(row, kind) else None) for i, (each, _) in enumerate(found)
                        if each['recompute'] == 'none')
    if len({seconds for _, seconds in found}) == 1:
        case = Case(row['id'], runs, found[0][1], memory=gpu.memory, partial=partial)
    else:  # the batch is not told, so that rates are compared
        work = [each['batch']['global'] * each['sequence'] / whole(row, 'gpus') for each, _ in found]
        case = Case(row['id'], runs, float(row['tokens_per_s_per_gpu']), work, gpu.memory, partial)
    inside = whole(row, 'gpus') <= (72 if gpu.per_node == hardware.RACK else gpu.per_node)
    return Step(case, source_of(row['set']), kind.name, gpu.device, gpu.generation, 'node' if inside else 'across',
                'moe' if experts else 'dense', number_format(row['precision']), whole(row, 'gpus'),
                'older machines' if gpu.generation in OLD else None)


def described(case, source, framework, generation, apart=None):
    """The step of a case that another reader made; what it ran on is in its runs."""
    run = case.runs[0]
    machine, work = run['platform'], run['workload']
    base = machine if isinstance(machine, str) else machine.get('base', '')
    gpus = math.prod(work['parallelism'].get(axis, 1) for axis in ('tensor', 'pipeline', 'context', 'data'))
    device = machine['device'] if isinstance(machine, dict) and 'device' in machine else device_of(base)
    return Step(case, source_of(source), framework, device, generation, 'node' if gpus <= (4 if base == 'gh200' else 8) else 'across',
                'dense', work['datatype'], gpus, apart)


def steps(data, models, tables=TABLES, skip=()):
    """Yields (row, Step or None, reason or None) of each row."""
    for table in tables:
        for row in read(data, table + '.csv'):
            if row['set'] in skip:
                continue
            try:
                yield row, step(row, models), None
            except Unusable as reason:
                yield row, None, str(reason)
