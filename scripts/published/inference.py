"""Steps of inference: encoders of FasterTransformer, and decoding by gpt-fast, both on one machine."""
import os

from .case import Case, Set, read
from .recipes import machine

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'validation')


def inference(name):
    def cases(data, models):
        for row in read(HERE, 'inference.csv', set=name):
            batch, ranks = int(row['batch']), int(row['tensor'])
            step = {'phase': row['phase']}
            if row['weights']:
                step['weights'] = row['weights']
            workload = {'model': row['model'],
                        'sequence': int(row['sequence']), 'batch': {'global': batch}, 'parallelism': {'tensor': ranks},
                        'datatype': row['datatype'], 'inference': step}
            run = {'platform': machine(row['device'], 'nvlink3', 'ib-hdr'), 'workload': workload}
            label = ' '.join([row['model'], row['device'], row['tensor'], row['batch'], row['sequence'], row['datatype'],
                              row['weights']])
            if row['unit'] == 'ms':
                yield Case(label, [run], float(row['measured']) / 1e3)
            else:
                yield Case(label, [run], float(row['measured']), batch)
    return cases


SETS = [
    Set('Inference of BERT Base, A100 and T4, FasterTransformer', 'T1', 0, inference('BERT Base')),
    Set('Decoding of Llama 2, A100, gpt-fast', 'T1', 0, inference('Llama 2')),
]
