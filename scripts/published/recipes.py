"""Training steps and throughput of transformers, as projects print them for their recipes."""
import os

from .case import Case, Set, balanced, read, runs, whole, workload

MODELS = {'GPT3-175B': 'gpt3-175b', 'Llama3.1-405B': 'llama3-405b', 'Llama3-70B': 'llama3-70b', 'Llama3-8B': 'llama3-8b',
          'Nemotron4-340B': 'nemotron4-340b', 'Grok1-314B': 'grok-1', 'GPT OSS 120B': 'gpt-oss-120b',
          'Qwen3_235B_a22B': 'qwen3-235b-a22b', 'Llama2-7B': 'llama2-7b', 'Llama2-34B': 'llama2-34b'}
LAYERS = {'gpt-oss-120b': 36, 'qwen3-235b-a22b': 94}  # where the row does not say


def machine(device, inside, between, **more):
    """Without a software stack."""
    return dict({'device': device, 'inside': inside, 'between': between}, **more)


# Where a network is not printed, that of NVIDIA's machine with these GPUs.
H100 = machine('h100', 'nvlink4', 'ib-ndr')
A100 = machine('a100', 'nvlink3', 'ib-hdr')
A100_40 = machine('a100-40gb', 'nvlink3', 'ib-hdr')
# DGX B200 and GB200 have a 400 Gb/s card per GPU. Of a rack's 72 GPUs jobs of a power of two take 64.
BLACKWELL = {'B200': machine('b200', 'nvlink5', 'ib-ndr'),
             'GB200': machine('b200', 'nvlink5-nvl72', 'ib-ndr', **{'gpus-per-node': 64})}


def nvidia(gpus):
    """NVIDIA's recipes in bf16, on GPUs with a platform each."""
    def cases(data, models):
        for row in read(data, 'llm_training.csv', precision='bf16'):
            if not row['set'].startswith(('dgxc_', 'mbridge_')) or row['gpu'] not in gpus or 'FSDP' in row['sharding']:
                continue
            tensor, pipeline, context, ranks, micro = (whole(row, key) for key in ('TP', 'PP', 'CP', 'DP', 'microbatch'))
            batch, virtual = whole(row, 'global_batch_seqs'), whole(row, 'virtual_stages')
            preset = MODELS.get(row['model'])
            layers = whole(row, 'layers', LAYERS.get(preset, 0))
            if not preset or layers == 0:
                continue  # no such model here
            if tensor * pipeline * context * ranks != whole(row, 'gpus') or batch % (micro * ranks):
                continue  # the printed layout cannot be
            # Proxies have fewer layers than the model.
            model = models.changed('transformers', preset, layers=layers)
            # Neither recomputation nor the precision of gradients is printed.
            choices = [workload(model, batch, micro, tensor, pipeline, ranks, virtual, zero=1, sequence=True,
                                attention='flash', recompute=recompute, tokens=whole(row, 'seqlen'),
                                layers_per_stage=balanced(layers, pipeline * virtual),
                                axes={'context': context, 'expert': whole(row, 'EP')}, precision=precision)
                       for recompute in ('none', 'full') for precision in ('mixed', 'mixed-fp32-gradients')]
            yield Case(row['id'], runs(gpus[row['gpu']], choices), float(row['step_s']),
                       memory=180e9 if row['gpu'] in BLACKWELL else 80e9)
    return cases


SHARDED = {'FULL_SHARD': 3, 'SHARD_GRAD_OP': 2}
RECOMPUTE = {'full recompute': 'full', 'selective': 'selective', 'none': 'none'}


def mosaicml(gpus):
    def cases(data, models):
        for row in read(data, 'llm_training.csv', set='mosaicml_mpt'):
            if row['gpu'] not in gpus or not row['precision'].endswith('bf16'):
                continue
            if row['sharding'] not in SHARDED or row['activation_policy'] not in RECOMPUTE:
                continue
            platform, memory = gpus[row['gpu']]
            # 16-bit gradients: mixed precision "PURE" of their launcher.
            choice = workload(row['model'].lower(), whole(row, 'global_batch_seqs'), whole(row, 'microbatch'),
                              data=whole(row, 'DP'), zero=SHARDED[row['sharding']],
                              recompute=RECOMPUTE[row['activation_policy']], attention='flash',
                              tokens=whole(row, 'seqlen'), precision='mixed')
            yield Case(row['id'], runs(platform, [choice]), float(row['step_s']), memory=memory)
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
        yield Case(row['id'], runs(H100, [choice]), float(row['mfu_pct']),
                   flops / whole(row, 'gpus') / 989e12 * 100)


def dlperf(framework):
    def cases(data, models):
        platform = machine('v100', 'nvlink2-mesh', 'roce-100g', **{'nics-per-node': 1})
        for row in read(data, 'llm_training.csv', set='dlperf_v100'):
            if framework not in row['model']:
                continue
            model = models.gpt(whole(row, 'layers'), whole(row, 'hidden'), whole(row, 'heads'), whole(row, 'vocab'),
                               whole(row, 'seqlen'))
            choice = workload(model, whole(row, 'global_batch_seqs'), whole(row, 'microbatch'), whole(row, 'TP'),
                              whole(row, 'PP'), whole(row, 'DP'), recompute='full', datatype='fp16', precision='mixed')
            yield Case(row['id'], runs(platform, [choice]), float(row['step_s']), memory=16e9)
    return cases


def torchtitan(data, models):
    device = os.path.join(models.folder, models.changed('devices', 'h100', size='96 GB', bandwidth='2400 GB/s'))
    for row in read(data, 'llm_training.csv', set='torchtitan_2024-12', precision='bf16'):
        batch, tokens = whole(row, 'global_batch_seqs'), whole(row, 'seqlen')
        if row['model'] not in MODELS or row['activation_policy'] not in RECOMPUTE:
            continue
        choice = workload(MODELS[row['model']], batch, whole(row, 'microbatch'), whole(row, 'TP'),
                          data=whole(row, 'DP'), zero=3, sequence=True, attention='flash', tokens=tokens,
                          recompute=RECOMPUTE[row['activation_policy']])
        yield Case(row['id'], runs(machine(device, 'nvlink4', 'ib-ndr'), [choice]), float(row['tokens_per_s_per_gpu']),
                   batch * tokens / whole(row, 'gpus'), 96e9)


def maxtext(data, models):
    for row in read(data, 'llm_training.csv', set='dgxc_25.02_maxtext'):
        if row['model'] not in MODELS or not row['sharding'].startswith('FSDP='):
            continue
        shard = int(row['sharding'].removeprefix('FSDP='))
        choices = [workload(MODELS[row['model']], whole(row, 'global_batch_seqs'), whole(row, 'microbatch'),
                            data=whole(row, 'DP'), zero=3, attention='flash', tokens=whole(row, 'seqlen'),
                            recompute=recompute, axes={'shard': shard})
                   for recompute in ('none', 'full')]
        yield Case(row['id'], runs(H100, choices), float(row['step_s']))


def fms_fsdp(data, models):
    # 400 and 800 Gb/s per node are printed, batch and recomputation not.
    gpus = {'A100-SXM4-80GB': machine('a100', 'nvlink3', 'roce-100g', **{'nics-per-node': 4}),
            'H100-SXM5-80GB': machine('h100', 'nvlink4', 'roce-100g', **{'nics-per-node': 8})}
    for row in read(data, 'llm_training.csv', set='fms_fsdp'):
        ranks, tokens = whole(row, 'DP'), whole(row, 'seqlen')
        if row['model'] not in MODELS or row['gpu'] not in gpus:
            continue
        choices = [workload(MODELS[row['model']], micro * ranks, micro, data=ranks, zero=3, attention='flash',
                            tokens=tokens, recompute=recompute)
                   for micro in (1, 2, 4, 8) for recompute in ('none', 'full')]
        work = [choice['batch']['micro'] * tokens for choice in choices]
        yield Case(row['id'], runs(gpus[row['gpu']], choices), float(row['tokens_per_s_per_gpu']), work)


SETS = [
    Set('NVIDIA recipes, H100', 'T1', 2, nvidia({'H100-SXM5-80GB': 'dgx-h100'}), layouts=True, stack=True),
    Set('NVIDIA recipes, GB200 and B200', 'T0', 0, nvidia(BLACKWELL), layouts=True),
    Set('MosaicML MPT, A100', 'T1', 0, mosaicml({'A100-SXM4-80GB': (A100, 80e9), 'A100-SXM4-40GB': (A100_40, 40e9)})),
    Set('MosaicML MPT, H100', 'T1', 0, mosaicml({'H100-SXM5-80GB': (H100, 80e9)})),
    Set('nanotron 0.5', 'T1', 0, nanotron, points=True, layouts=True),
    Set('DLPerf V100, Megatron-LM', 'T1', 0, dlperf('Megatron-LM'), layouts=True),
    Set('DLPerf V100, OneFlow', 'T1', 0, dlperf('OneFlow'), layouts=True),
    Set('torchtitan', 'T1', 0, torchtitan),
    Set('MaxText', 'T1', 0, maxtext),
    Set('FMS FSDP', 'T1', 0, fms_fsdp),
]
