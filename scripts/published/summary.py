"""What docs/accuracy.md says first: errors of the stack `generic` for steps of frameworks that its fit left out."""
import math, re, statistics

GENERATIONS = {'a100': 'A100, A800', 'h100': 'H100, H800, H200, GH200', 'b200': 'B200, GB200', 'b300': 'B300, GB300',
               'mi350x': 'MI350X, MI355X', 'v100': 'V100'}


def errors(rows):
    """Signed relative errors of predicted times."""
    return [math.exp(-ratio) - 1 for _, ratio in rows]


def cells(name, rows):
    signed = errors(rows)
    size = [abs(e) for e in signed]
    return [name, str(len(rows)), '%.1f %%' % (100 * statistics.median(size)), '%+.1f %%' % (100 * statistics.median(signed)),
            '%.0f %%' % (100 * sum(e <= 0.25 for e in size) / len(size))]


def table(first, groups):
    head = [first, 'rows', 'median error', 'median, signed', 'within 25 %']
    return ''.join('| %s |\n' % ' | '.join(line) for line in [head, ['---'] * len(head), *groups])


def grouped(rows, key):
    found = {}
    for row in rows:
        found.setdefault(key(row[0]), []).append(row)
    return found


def weighed_median(groups):
    """Of the sizes of errors, each group weighing the same."""
    sizes = sorted((abs(error), 1 / len(group)) for group in groups for error in errors(group))
    total = 0
    for size, weight in sizes:
        total += weight
        if total >= len(groups) / 2:
            return size


def text(rows):
    """Markdown of [(step, log ratio)], those that stand apart among them."""
    counted, apart = [row for row in rows if not row[0].apart], [row for row in rows if row[0].apart]
    frameworks = grouped(counted, lambda step: step.framework)
    medians = [statistics.median(map(abs, errors(group))) for group in frameworks.values()]
    sources = grouped(counted, lambda step: step.source)
    largest = max(sources, key=lambda source: len(sources[source]))
    all_rows, others = cells('', counted), cells('', [row for row in counted if row[0].source != largest])
    result = ('The time of a training step of a framework that no constant has seen is predicted %.1f %% off in the median, each source '
              'weighing the same, and %.0f %% of them are within 25 %%.\nThe median of all %s steps is %s, and %s of them are within 25 %%. One source (%s) has %d of them; without these '
              'the median is %s, and %s are within 25 %%.\nThe median of the frameworks\' medians is %.1f %%.\n\n' % (
                  100 * weighed_median(list(sources.values())),
                  100 * statistics.mean(statistics.mean(abs(error) <= 0.25 for error in errors(group)) for group in sources.values()), all_rows[1], all_rows[2], all_rows[4], largest, len(sources[largest]),
                  others[2], others[4], 100 * statistics.median(medians)))
    generations = grouped(counted, lambda step: step.generation)
    result += table('devices', [cells(GENERATIONS.get(name, name), generations[name]) for name in sorted(generations)]) + '\n'
    result += table('framework left out', [cells(name, frameworks[name]) for name in sorted(frameworks)])
    if apart:
        result += '\nApart, as they are of older machines or from before 2022:\n\n' + table(
            'rows', [cells(name, group) for name, group in sorted(grouped(
                apart, lambda step: '%s, %s' % (step.framework, step.apart)).items())])
    return result


def write(path, rows):
    """Replaces what stands between the two marks of the file."""
    with open(path) as file:
        page = file.read()
    page = re.sub(r'(<!-- left out -->\n).*(<!-- end of left out -->)', lambda m: m[1] + text(rows) + m[2], page, flags=re.S)
    with open(path, 'w') as file:
        file.write(page)
