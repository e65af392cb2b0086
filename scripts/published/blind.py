"""All training steps of language models that are compared with one stack, whatever framework ran them."""
import math

from . import papers, recipes, steps

# Sets that readers of their own read: source, framework, generation of the device, reader, why they stand apart.
BEFORE_2022 = 'before 2022'
OWN = [
    ('korthikanti2022', 'Megatron', 'a100', papers.korthikanti, None),
    ('megatron2021_table1', 'Megatron', 'a100', papers.megatron_table1, BEFORE_2022),
    ('megatron2021_table2', 'Megatron', 'a100', papers.megatron_table2('PTD-P'), BEFORE_2022),
    ('megatron2021_table2_zero3', 'DeepSpeed', 'a100', papers.megatron_table2('ZeRO-3'), BEFORE_2022),
    ('megatron2021_figures', 'Megatron', 'a100', papers.megatron_figures, BEFORE_2022),
    ('mtnlg_2022', 'Megatron-DeepSpeed', 'a100', papers.mtnlg, None),
    ('vtrain_multi_node', 'Megatron-DeepSpeed', 'a100', papers.vtrain('vtrain_multi_node.csv'), None),
    ('vtrain_single_node', 'Megatron-DeepSpeed', 'a100', papers.vtrain('vtrain_single_node.csv'), None),
    ('bloom_prequel', 'Megatron-DeepSpeed', 'a100', papers.bloom, None),
    ('megatron_core_r0.8', 'Megatron', 'h100', papers.megatron_core, None),
    ('llama3_paper_t4', "Meta's", 'h100', papers.llama3, None),
    ('sailor_gh200', 'DeepSpeed', 'h100', papers.sailor, None),
    ('nanotron_v0.5', 'nanotron', 'h100', recipes.nanotron, None),
]


def all_steps(data, models):
    """(steps, {(set, reason): rows}) of the folder."""
    found, without = [], {}
    for source, framework, generation, reader, apart in OWN:
        found += [steps.described(case, source, framework, generation, apart) for case in reader(data, models)]
    for row, step, reason in steps.steps(data, models, skip={source for source, *_ in OWN}):
        if step:
            found.append(step)
        else:
            without[row['set'], reason] = without.get((row['set'], reason), 0) + 1
    return found, without


def log_ratio(case, results):
    """ln of measured by simulated time, or None."""
    choice = case.chosen(results)
    return math.log(case.seconds(choice) / choice.seconds) if choice else None
