"""Training steps of transformers, from papers and their artifacts."""
from .case import Case, Set, balanced, can_interleave, read, runs, whole, workload


def hardware_flops(layers, hidden, vocabulary, sequence, batch):
    """With full recomputation: Narayanan et al. 2021, equation 3."""
    return 96 * batch * sequence * layers * hidden**2 * (
        1 + sequence / (6 * hidden) + vocabulary / (16 * layers * hidden))


def korthikanti(data, models):
    for row in read(data, 'korthikanti2022_iteration.csv'):
        if not row['iteration_s']:
            continue
        hidden = whole(row, 'hidden')
        model = models.gpt(whole(row, 'layers'), hidden, whole(row, 'attention_heads'), 51200, 2048)
        full = row['activation_policy'].startswith('full')
        choice = workload(
            model, whole(row, 'global_batch_seqs'), whole(row, 'microbatch'), whole(row, 'TP'), whole(row, 'PP'),
            whole(row, 'DP'), whole(row, 'interleave_chunks'), recompute='full' if full else 'selective',
            sequence=not full)
        yield Case(row['id'], runs('dgx-a100', [choice]), float(row['iteration_s']))


def megatron_table1(data, models):
    for row in read(data, 'megatron2021_table1.csv'):
        layers, hidden, pipeline = whole(row, 'layers'), whole(row, 'hidden'), whole(row, 'PP')
        batch, ranks, gpus = whole(row, 'global_batch_seqs'), whole(row, 'DP'), whole(row, 'gpus')
        model = models.gpt(layers, hidden, whole(row, 'attention_heads'), 51200, 2048)
        choices = [workload(model, batch, micro, whole(row, 'TP'), pipeline, ranks, virtual, recompute='full')
                   for micro in (1, 2, 4, 8, 16) if batch % (micro * ranks) == 0
                   for virtual in (1, 2, 3, 4) if can_interleave(layers, pipeline, virtual, batch // (micro * ranks))]
        yield Case(row['id'], runs('dgx-a100', choices, 'megatron-2021'), float(row['tflops_per_gpu']),
                   hardware_flops(layers, hidden, 51200, 2048, batch) / gpus / 1e12)


def megatron_table2(scheme):
    def cases(data, models):
        sizes = {'174.6': (96, 12288, 96, 12), '529.6': (105, 20480, 128, 35)}
        for row in read(data, 'megatron2021_table2.csv', scheme=scheme):
            if row['params_B'] not in sizes:
                continue
            layers, hidden, heads, pipeline = sizes[row['params_B']]
            batch, gpus, micro = whole(row, 'global_batch_seqs'), whole(row, 'gpus'), whole(row, 'microbatch')
            model = models.gpt(layers, hidden, heads, 51200, 2048)
            if scheme == 'ZeRO-3':
                stack, choice = 'deepspeed-zero3', workload(model, batch, micro, data=gpus, zero=3, recompute='full')
            else:
                stack, choice = 'megatron-2021', workload(model, batch, micro, 8, pipeline, gpus // 8 // pipeline,
                                                          recompute='full')
            yield Case(row['id'], runs('dgx-a100', [choice], stack), float(row['tflops_per_gpu']),
                       hardware_flops(layers, hidden, 51200, 2048, batch) / gpus / 1e12)
    return cases


def megatron_figures(data, models):
    for row in read(data, 'megatron2021_figures.csv', scatter_gather='yes'):
        if not row['layers'] or row['figure'] == '18':  # sizes are missing; again what figure 12 shows
            continue
        layers, hidden, batch, pipeline = (whole(row, key) for key in ('layers', 'hidden', 'global_batch_seqs', 'PP'))
        interleaved = row['schedule'] == 'interleaved'
        choices = [workload(models.gpt(layers, hidden, whole(row, 'heads'), 51200, 2048), batch, micro,
                            whole(row, 'TP'), pipeline, whole(row, 'DP'), virtual,
                            recompute='full' if row['activation_recompute'] == 'yes' else 'none')
                   for micro in ([whole(row, 'microbatch')] if row['microbatch'] else (1, 2, 4, 8))
                   if batch % micro == 0
                   for virtual in ((2, 4, 8) if interleaved else (1,))
                   if can_interleave(layers, pipeline, virtual, batch // micro)]
        work = batch if row['metric'] == 'sequences_per_s' else hardware_flops(
            layers, hidden, 51200, 2048, batch) / whole(row, 'gpus') / 1e12
        yield Case(row['id'], runs('dgx-a100', choices, 'megatron-2021'), float(row['value']), work)


def vtrain(name):
    def cases(data, models):
        for row in read(data, name):
            layers, pipeline = whole(row, 'layers'), whole(row, 'PP')
            model = models.gpt(layers, whole(row, 'hidden'), whole(row, 'attention_heads'), 50257, whole(row, 'seqlen'))
            choice = workload(
                model, whole(row, 'global_batch_seqs'), whole(row, 'microbatch'), whole(row, 'TP'), pipeline,
                whole(row, 'DP'), recompute='full', layers_per_stage=balanced(layers, pipeline),
                overlap={'gradients': False})
            yield Case(row['id'], runs('vtrain-a100', [choice]), float(row['iteration_ms']) / 1e3)
    return cases


def bloom(data, models):
    for row in read(data, 'llm_training.csv', set='bloom_prequel'):
        layers, pipeline, ranks, micro = (whole(row, key) for key in ('layers', 'PP', 'DP', 'microbatch'))
        batch = whole(row, 'global_batch_seqs')
        if batch % (ranks * micro) or ranks * pipeline * whole(row, 'TP') != whole(row, 'gpus'):
            continue  # the printed layout cannot be
        if whole(row, 'heads') % whole(row, 'TP') or whole(row, 'hidden') % whole(row, 'heads'):
            continue
        model = models.gpt(layers, whole(row, 'hidden'), whole(row, 'heads'), whole(row, 'vocab'), 2048, positions=0,
                           dropout=0)
        choice = workload(
            model, batch, micro, whole(row, 'TP'), pipeline, ranks, zero=1, recompute='full', datatype=row['precision'],
            layers_per_stage=balanced(layers, pipeline),
            precision='mixed-fp32-gradients' if row['precision'] == 'bf16' else 'mixed',
            overlap={'gradients': False, 'parameters': False})
        yield Case(row['id'], runs('jean-zay', [choice]), float(row['step_s']))


def mtnlg(data, models):
    for row in read(data, 'llm_training.csv', set='mtnlg_2022'):
        choice = workload(models.gpt(105, 20480, 128, 51200, 2048), whole(row, 'global_batch_seqs'), 1, 8, 35,
                          whole(row, 'DP'), recompute='full')
        yield Case(row['id'], runs('dgx-a100', [choice], 'megatron-2021'), float(row['step_s']))


def zero_bubble(data, models):
    """The paper's rows of 1F1B whose layers are printed; the first and the last stage have one less than the others. The
    vocabulary is not printed: with 32,000 words all four models have the printed number of weights."""
    for row in read(data, 'pipeline.csv', schedule='1F1B', unit='samples/s/GPU'):
        if not row['layers']:
            continue
        layers, pipeline, micro = whole(row, 'layers'), whole(row, 'PP'), whole(row, 'microbatch')
        batch = micro * whole(row, 'microbatches')
        choice = workload(models.gpt(layers, whole(row, 'hidden'), whole(row, 'heads'), 32000, whole(row, 'seqlen')), batch, micro,
                          pipeline=pipeline, layers_per_stage=balanced(layers, pipeline))
        yield Case(row['id'], runs('dgx-a100', [choice]), float(row['value']), batch / whole(row, 'gpus'))


def megatron_core(data, models):
    for row in read(data, 'llm_training.csv', set='megatron_core_r0.8'):
        layers, hidden, pipeline, ranks = (whole(row, key) for key in ('layers', 'hidden', 'PP', 'DP'))
        batch, vocabulary, sequence = (whole(row, key) for key in ('global_batch_seqs', 'vocab', 'seqlen'))
        model = models.gpt(layers, hidden, whole(row, 'heads'), vocabulary, sequence, dropout=0, positions=0,
                           rotary=True)
        choices = [workload(model, batch, micro, whole(row, 'TP'), pipeline, ranks, virtual, zero=1, sequence=True,
                            attention='flash', recompute=recompute)
                   for micro in (1, 2, 4) if batch % (micro * ranks) == 0 for recompute in ('none', 'full')
                   for virtual in (1, 2, 3, 6, 7)
                   if can_interleave(layers, pipeline, virtual, batch // (micro * ranks))]
        flops = 72 * batch * sequence * layers * hidden**2 * (
            1 + sequence / (6 * hidden) + vocabulary / (12 * layers * hidden))
        yield Case(row['id'], runs('dgx-h100', choices), float(row['mfu_pct']),
                   flops / whole(row, 'gpus') / 989e12 * 100)


def llama3(data, models):
    for row in read(data, 'llm_training.csv', set='llama3_paper_t4'):
        model = models.llama(126, 16384, 128, 8, 53248, 128256, 8192)
        batch, tokens, pipeline = whole(row, 'global_batch_seqs'), whole(row, 'seqlen'), whole(row, 'PP')
        # The interleaving is not printed.
        choices = [workload(model, batch, 1, whole(row, 'TP'), pipeline, whole(row, 'DP'), virtual, zero=1, sequence=True,
                            attention='flash', layers_per_stage=balanced(126, pipeline * virtual), tokens=tokens,
                            axes={'context': whole(row, 'CP'), 'context-exchange': 'all-gather'}
                            if whole(row, 'CP') > 1 else None)
                   for virtual in (1, 2, 4, 8)]
        flops = 6 * 405.85e9 * batch * tokens + 12 * 126 * 16384 * tokens * batch * tokens / 2
        yield Case(row['id'], runs('roce-h100', choices), float(row['mfu_pct']),
                   flops / whole(row, 'gpus') / 989e12 * 100)


def sailor(data, models):
    sizes = {'OPT-350M': (24, 1024, 16, 50272), 'GPT-Neo-2.7B': (32, 2560, 32, 128256)}
    for row in read(data, 'sailor_gh200.csv'):
        stages = [int(n) for n in row['layers_per_stage'].split(';')]
        # One row is printed under the other model's name.
        model = next((s for s in sizes.values() if s[0] + 2 == sum(stages)), None)
        if not model:
            continue
        layers, hidden, heads, vocabulary = model
        stages[0] -= 1
        stages[-1] -= 1
        choice = workload(
            models.gpt(layers, hidden, heads, vocabulary, 2048), whole(row, 'global_batch_seqs'),
            whole(row, 'microbatch'), whole(row, 'TP'), whole(row, 'PP'), whole(row, 'DP'), layers_per_stage=stages,
            overlap={'gradients': False})
        yield Case(row['id'], runs('gh200', [choice]), float(row['iteration_s']))


def line(name, tier, constants, cases, software, points=False):
    return Set(name, tier, constants, cases, points=points, layouts=True, software=software)


SETS = [
    line('Korthikanti 2022, iteration time', 'T2', 1, korthikanti, 'megatron-2022'),
    line('Megatron 2021, table 1', 'T2', 1, megatron_table1, 'megatron-2021'),
    line('Megatron 2021, table 2, pipelines', 'T2', 1, megatron_table2('PTD-P'), 'megatron-2021'),
    line('Megatron 2021, table 2, ZeRO-3', 'T2', 1, megatron_table2('ZeRO-3'), 'deepspeed-zero3'),
    line('Megatron 2021, figures 12 and 17', 'T1', 1, megatron_figures, 'megatron-2021'),
    line('MT-NLG 530B', 'T2', 1, mtnlg, 'megatron-2021'),
    line('vTrain, several nodes', 'T1', 2, vtrain('vtrain_multi_node.csv'), 'megatron-deepspeed'),
    line('vTrain, one node', 'T2', 2, vtrain('vtrain_single_node.csv'), 'megatron-deepspeed'),
    line('BLOOM sweep', 'T2', 2, bloom, 'megatron-deepspeed-bloom'),
    line('Megatron-Core 0.8', 'T2', 2, megatron_core, 'megatron-core', True),
    line('Llama 3 405B', 'T1', 3, llama3, 'generic', True),
    line('Sailor, GH200', 'T2', 1, sailor, 'deepspeed-sailor'),
    line('Zero Bubble 2023, rows of 1F1B', 'T1', 1, zero_bubble, 'megatron-2022'),
]
