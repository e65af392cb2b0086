"""What the sets of published measurements share: a measured row as runs of an experiment."""
import csv, json, os, re
from typing import Callable, NamedTuple, Optional, Union

SHARE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'share', 'orrery'))


class Choice(NamedTuple):
    """What a row may have been: a run, or two of which some layers are like the one and some like the other."""
    parts: dict  # run: its share
    seconds: float
    memory: float
    work: Optional[float]


class Case(NamedTuple):
    """A row. Where it does not say which of several runs it was, the quickest that fits counts, as its authors chose."""
    name: str
    runs: list  # maps of an experiment's keys
    measured: float
    work: Union[None, float, list] = None  # of a step, or of each run's: `measured` is that per second; None: is seconds
    memory: float = 80e9  # bytes of the device
    # Pairs of runs of which the second computes again what the first keeps, and for how many of the layers: None if that is
    # not told, so that as many do as memory asks for. Where it is told neither run counts by itself.
    partial: tuple = ()

    def choices(self, results):
        work = self.work if isinstance(self.work, list) else [self.work] * len(self.runs)
        told = {run for *pair, share in self.partial if share is not None for run in pair}
        found = [Choice({i: 1.0}, *result, w) for i, (result, w) in enumerate(zip(results, work)) if result and i not in told]
        for keeps, repeats, share in self.partial:
            if not results[keeps] or not results[repeats]:
                continue
            (seconds, kept), (longer, less) = results[keeps], results[repeats]
            if share is None:
                share = (kept - self.memory) / (kept - less) if kept > less else 0
            if 0 < share < 1:
                found.append(Choice({keeps: 1 - share, repeats: share}, seconds + share * (longer - seconds),
                                    kept - share * (kept - less), work[keeps]))
        return found

    def chosen(self, results):
        """The choice that counts, or None where all runs failed."""
        found = self.choices(results)
        fitting = [choice for choice in found if choice.memory <= self.memory * 1.0001] or found
        key = (lambda c: c.seconds) if self.work is None else (lambda c: c.seconds / c.work)
        return min(fitting, key=key) if fitting else None

    def seconds(self, choice):
        """What was measured, as the time of a step."""
        return self.measured if self.work is None else choice.work / self.measured

    def value(self, results):
        """What is measured, from each run's seconds and bytes, or None where a run failed; None if all did."""
        choice = self.chosen(results)
        if not choice:
            return None
        return choice.seconds if self.work is None else choice.work / choice.seconds


class Set(NamedTuple):
    """A line of the table. Of `cases` and `pairs` one is given."""
    name: str
    tier: str
    constants: int  # fitted to measurements of the class: software's of stacks, else the device's or the links'
    cases: Optional[Callable] = None  # (data, models): cases to be simulated
    pairs: Optional[Callable] = None  # (orrery, data): (name, measured, ours) of each row
    median: bool = False  # the median error stands for the mean, because single rows scatter by a factor of two
    points: bool = False  # measured in per cent already: errors are differences
    layouts: bool = False  # rows compare layouts, so that their ranks mean something
    software: Optional[str] = None  # the stack that all runs are on, in place of the platforms'


def read(data, name, **wanted):
    """Rows of a table whose columns have the wanted values; none where there is no such table."""
    path = os.path.join(data, name)
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [row for row in csv.DictReader(file) if all(row[key] == value for key, value in wanted.items())]


def whole(row, key, default=1):
    text = row.get(key) or ''
    return int(float(text)) if text else default


def device_of(platform):
    with open(os.path.join(SHARE, 'platforms', platform + '.yaml')) as file:
        return re.search(r'(?m)^device: (.+)', file.read())[1]


class Models:
    """Files of transformers and devices in the folder of the experiment."""

    def __init__(self, folder):
        self.folder, self.known = folder, {}

    def gpt(self, layers, hidden, heads, vocabulary, sequence, **more):
        return self.sized(dict({
            'layers': layers, 'hidden': hidden, 'heads': heads, 'vocabulary': vocabulary, 'sequence': sequence,
            'positions': sequence, 'tied-embeddings': True, 'dropout': 0.1, 'norm': 'layer', 'activation': 'gelu',
            'biases': ['qkv', 'attention-output', 'mlp', 'norm']}, **more))

    def llama(self, layers, hidden, heads, kv_heads, ffn, vocabulary, sequence):
        return self.sized({'layers': layers, 'hidden': hidden, 'heads': heads, 'kv-heads': kv_heads, 'ffn': ffn,
                           'gated': True, 'vocabulary': vocabulary, 'sequence': sequence, 'rotary': True,
                           'norm': 'rms', 'activation': 'silu'})

    def preset(self, name):
        with open(os.path.join(SHARE, 'transformers', name + '.yaml')) as file:
            return file.read()

    def layers(self, preset):
        return int(re.search(r'(?m)^layers: (\d+)', self.preset(preset))[1])

    def has_experts(self, preset):
        return 'mixture:' in self.preset(preset)

    def sized(self, sizes):
        return self.file(json.dumps(dict(name='model', **sizes)))

    def changed(self, kind, name, **values):
        """A file that comes with the program, with other values."""
        with open(os.path.join(SHARE, kind, name + '.yaml')) as file:
            text = file.read()
        for key, value in values.items():
            text, found = re.subn(r'(?m)^( *%s: ).*' % key, r'\g<1>%s' % value, text, count=1)
            assert found, '%s of %s' % (key, name)
        return self.file(text)

    def file(self, text):
        if text not in self.known:
            self.known[text] = 'file%d.yaml' % len(self.known)
            with open(os.path.join(self.folder, self.known[text]), 'w') as file:
                file.write(text)
        return './' + self.known[text]


def workload(model, batch, micro, tensor=1, pipeline=1, data=1, virtual=1, zero=0, recompute='none',
             sequence=False, attention='naive', datatype='bf16', layers_per_stage=None, tokens=None, axes=None, **more):
    parallelism = {'tensor': tensor, 'pipeline': pipeline, 'data': data, 'zero': zero}
    parallelism.update(axes or {})
    if sequence and tensor > 1:
        parallelism['sequence'] = True
    if virtual > 1:
        parallelism.update({'schedule': 'interleaved', 'virtual-stages': virtual})
    if layers_per_stage:
        parallelism['layers-per-stage'] = layers_per_stage
    result = {'model': model, 'batch': {'global': batch, 'micro': micro}, 'parallelism': parallelism,
              'recompute': recompute, 'attention': attention, 'datatype': datatype}
    if tokens:
        result['sequence'] = tokens
    result.update(more)
    return result


def with_kernels(run, kernels):
    """A run whose software, whichever it is, has these keys of a stack."""
    platform = run['platform']
    platform = {'base': platform} if isinstance(platform, str) else platform
    known = platform.get('stack')
    return dict(run, platform=dict(platform, stack=(known if isinstance(known, dict) else {}) | kernels))


def runs(platform, workloads, stack=None):
    if stack:
        platform = {'base': platform, 'stack': stack}
    return [{'platform': platform, 'workload': each} for each in workloads]


def can_interleave(layers, pipeline, virtual, micro_batches):
    return virtual == 1 or (pipeline > 1 and layers % (pipeline * virtual) == 0 and micro_batches % pipeline == 0)


def balanced(layers, stages):
    """Layers of each stage, where embedding and head count as a layer if that comes out even."""
    if layers % stages == 0:
        return None
    counted = layers + 2 if (layers + 2) % stages == 0 else layers
    sizes = [counted // stages + (1 if i < counted % stages else 0) for i in range(stages)]
    if counted != layers:
        sizes[0] -= 1
        sizes[-1] -= 1
    return sizes
