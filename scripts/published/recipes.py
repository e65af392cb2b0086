"""Training steps and throughput of transformers, as projects print them for their recipes."""
from . import steps
from .case import Case, Set, read, runs, whole, with_kernels, workload


def machine(device, inside, between, **more):
    """Without a software stack."""
    return dict({'device': device, 'inside': inside, 'between': between, 'stack': 'none'}, **more)


# Where a network is not printed, that of NVIDIA's machine with these GPUs.
H100 = machine('h100', 'nvlink4', 'ib-ndr')


def rows(*sets, generation=None, precision=None, framework=None, model='', eager=None):
    """Cases of the sets whose names begin so, read as `steps` does; of one generation of devices, precision or framework, and
    of those whose notes say that the framework is eager, or of the others."""
    def cases(data, models):
        for row, step, _ in steps.steps(data, models):
            if step and row['set'].startswith(sets) and generation in (None, step.generation) and precision in (
                    None, step.precision) and framework in (None, step.framework) and model in row['model'] and eager in (
                        None, 'eager' in row['notes']):
                yield step.case
    return cases


def spread_by_cost(layers, stages, layer, head):
    """As nanotron does: a stage is full when it has passed its share of the weights."""
    share, total, sizes = (layers * layer + head) / stages, 0, [0] * stages
    stage = 0
    for _ in range(layers):
        sizes[stage] += 1
        total += layer
        if total > share * (stage + 1):
            stage += 1
    return sizes


def nanotron(data, models):
    ffn = {2048: 8192, 3072: 8192, 4096: 14336, 8192: 28672}
    for row in read(data, 'llm_training.csv', set='nanotron_v0.5'):
        layers, hidden, stages, batch = (whole(row, key) for key in ('layers', 'hidden', 'PP', 'global_batch_seqs'))
        vocabulary, tokens = whole(row, 'vocab'), whole(row, 'seqlen')
        if hidden not in ffn:
            continue
        weights = 4 * hidden**2 + 3 * hidden * ffn[hidden]
        choice = workload('nanotron-%sb' % row['params_B'].replace('80.0', '80'), batch, whole(row, 'microbatch'),
                          whole(row, 'TP'), stages, whole(row, 'DP'), zero=int(row['sharding'][-1]), sequence=True,
                          attention='flash', tokens=tokens,
                          layers_per_stage=spread_by_cost(layers, stages, weights, vocabulary * hidden))
        flops = 6 * batch * tokens * (layers * (weights + 2 * hidden * tokens) + vocabulary * hidden)
        case_runs = [with_kernels(run, {'attention-kernel': steps.FLASH_2}) for run in runs(H100, [choice])]
        yield Case(row['id'], case_runs, float(row['mfu_pct']),
                   flops / whole(row, 'gpus') / 989e12 * 100)




def generic(name, *sets, software='generic', **more):
    """A line whose rows no stack of its own was fitted to: `software` is `generic` but for what is known of it without a fit."""
    return Set(name, 'T1', CONSTANTS, rows(*sets, **more), software=software)


def own(name, software, *sets, **more):
    """A line whose rows are among those that two constants of its stack were fitted to."""
    return Set(name, 'T2', 2, rows(*sets, **more), software=software)


CONSTANTS = 3  # of `generic`, which all frameworks share
NVIDIA = 'dgxc_', 'mbridge_', 'nemo_'
SETS = [
    Set('NVIDIA recipes, H100, bf16', 'T2', 2, rows(*NVIDIA, generation='h100', precision='bf16', framework='Megatron'),
        layouts=True, software='megatron-core'),
    generic('NVIDIA recipes, H100, fp8', *NVIDIA, generation='h100', precision='fp8'),
    generic('NVIDIA recipes, GB200 and B200, bf16', *NVIDIA, generation='b200', precision='bf16'),
    generic('NVIDIA recipes, GB200 and B200, fp8', *NVIDIA, generation='b200', precision='fp8'),
    generic('NVIDIA recipes, GB200 and B200, nvfp4', *NVIDIA, generation='b200', precision='fp4'),
    generic('NVIDIA recipes, GB300 and B300', *NVIDIA, generation='b300'),
    own('MosaicML MPT, A100', 'composer', 'mosaicml_mpt', generation='a100'),
    own('MosaicML MPT, H100', 'composer', 'mosaicml_mpt', generation='h100'),
    Set('nanotron 0.5', 'T1', CONSTANTS, nanotron, points=True, layouts=True, software='generic'),
    Set('DLPerf V100, Megatron-LM', 'T1', CONSTANTS, rows('dlperf_v100', model='Megatron-LM'), layouts=True,
        software='generic'),
    Set('DLPerf V100, OneFlow', 'T1', CONSTANTS, rows('dlperf_v100', model='OneFlow'), layouts=True, software='generic'),
    own('torchtitan, H100 and H200', 'pytorch-fsdp', 'torchtitan_2024', 'torchtitan_h200', eager=False),
    own('torchtitan, A100', 'pytorch-fsdp', 'torchtitan_more'),
    generic('PyTorch, eager', 'torchtitan_2024', 'thunder_litgpt', 'litgpt_thunder', eager=True, software='pytorch-eager'),
    generic('MaxText, H100', 'dgxc_25.02_maxtext', 'jax_toolbox', software='maxtext'),
    own('FMS FSDP', 'pytorch-fsdp', 'fms_fsdp'),
    generic('Aleph Alpha, layouts', 'aleph_alpha'),
    generic('FlagPerf, Megatron', 'flagperf', framework='Megatron'),
    generic('FlagPerf, PaddlePaddle', 'flagperf', framework='PaddlePaddle'),
    generic('FlagPerf, DeepSpeed', 'flagperf', framework='DeepSpeed'),
    generic('FlagPerf, Megatron-DeepSpeed', 'flagperf', framework='Megatron-DeepSpeed'),
    own('Thunder and litgpt', 'pytorch-fsdp', 'thunder_litgpt', 'litgpt_thunder', eager=False),
    generic('InternEvo', 'internevo'),
    generic('XTuner, long sequences', 'xtuner_long'),
    generic('XTuner, Qwen3 235B by Megatron', 'xtuner_qwen3'),
    generic('MLPerf 5.1, MI350X and MI355X', 'mlperf_v5.1', software='nemo-rocm'),
    generic('Colossal-AI', 'colossalai'),
    generic('flash-attention, small GPT', 'flash_attention_training'),
    generic('modded-nanogpt', 'modded_nanogpt'),
]
