"""Machines that training steps were measured on: devices and links, as the sources or the vendors' data sheets tell them."""
import os, re
from typing import NamedTuple, Optional


class Gpu(NamedTuple):
    device: str
    generation: str
    inside: object
    between: Optional[str]
    memory: float  # bytes
    per_node: int = 8
    changed: Optional[dict] = None  # values of the device's file that differ


SLOW_NVLINK3 = {'base': 'nvlink3', 'bandwidth': '200 GB/s'}  # 400 GB/s in both directions, as the data sheets of the A800
SLOW_NVLINK4 = {'base': 'nvlink4', 'bandwidth': '200 GB/s'}  # and of the H800 say
INFINITY = {'base': 'nvlink4', 'bandwidth': '448 GB/s'}  # 7 links to the other GPUs; no measured class
# Jobs of a power of two take 64 GPUs of a rack's 72.
RACK = 64
# HBM3e of 288 GB, and 1.5 times the dense rate in fp4 (data sheets of HGX B300 and GB300).
ULTRA = {'size': '288 GB', 'fp4': '13500 TFLOP/s'}
# 500 W instead of 700: products go as the power, as a GB300 at 500 instead of 1,400 W reaches 617 of 1,600 to 2,174 TFLOP/s.
LIMITED = 500 / 700
GPUS = {
    'A100-SXM4-80GB': Gpu('a100', 'a100', 'nvlink3', 'ib-hdr', 80e9),
    'A100-SXM4-40GB': Gpu('a100-40gb', 'a100', 'nvlink3', 'ib-hdr', 40e9),
    'A800-SXM-80GB': Gpu('a100', 'a100', SLOW_NVLINK3, 'ib-hdr', 80e9),
    'H100-SXM5-80GB': Gpu('h100', 'h100', 'nvlink4', 'ib-ndr', 80e9),
    'H800-SXM-80GB': Gpu('h100', 'h100', SLOW_NVLINK4, 'ib-ndr', 80e9),
    'H100-96GB-HBM2e-500W': Gpu('h100', 'h100', 'nvlink4', 'ib-ndr', 96e9, 8, {
        'size': '96 GB', 'bandwidth': '2400 GB/s', **{key: '%.1f TFLOP/s' % (value * LIMITED) for key, value in
                                                      {'bf16': 989.4, 'fp16': 989.4, 'fp8': 1978.9}.items()}}),
    'H200-SXM5': Gpu('h200', 'h100', 'nvlink4', 'ib-ndr', 141e9),
    'H200-SXM5-141GB': Gpu('h200', 'h100', 'nvlink4', 'ib-ndr', 141e9),
    'B200': Gpu('b200', 'b200', 'nvlink5', 'ib-ndr', 180e9),
    'B200-SXM-180GB': Gpu('b200', 'b200', 'nvlink5', 'ib-ndr', 180e9),
    'GB200': Gpu('b200', 'b200', 'nvlink5-nvl72', 'ib-ndr', 180e9, RACK),
    'B300': Gpu('b200', 'b300', 'nvlink5', 'ib-xdr', 288e9, 8, ULTRA),
    'GB300': Gpu('b200', 'b300', 'nvlink5-nvl72', 'ib-xdr', 288e9, RACK, ULTRA),
    # Peaks of AMD's data sheets; the rest as of the MI300X.
    'MI350X': Gpu('mi300x', 'mi350x', INFINITY, None, 288e9, 8, {
        'size': '288 GB', 'bf16': '2306.9 TFLOP/s', 'fp8': '4613.7 TFLOP/s', 'bandwidth': '8000 GB/s'}),
    'MI355X': Gpu('mi300x', 'mi350x', INFINITY, None, 288e9, 8, {
        'size': '288 GB', 'bf16': '2516.6 TFLOP/s', 'fp8': '5033.2 TFLOP/s', 'bandwidth': '8000 GB/s'}),
    'V100-SXM2-16GB': Gpu('v100-16gb', 'v100', 'nvlink2-mesh', 'roce-100g', 16e9),
}
CARDS = {100: 'roce-100g', 200: 'ib-hdr', 400: 'ib-ndr'}  # Gb/s


def cards(notes):
    """(cards of a node, class of links) where a text tells them, else None."""
    found = re.search(r'(\d+) x (\d+) Gb/s', notes)
    if found and int(found[2]) in CARDS:
        return int(found[1]), CARDS[int(found[2])]
    found = re.search(r'\b(\d+) Gb/s per node', notes)
    return (int(found[1]) // 100, CARDS[100]) if found and int(found[1]) % 100 == 0 else None


def platform(row, models):
    """The machine of a row. Where its network is not told, that of the vendor's machine with these GPUs."""
    gpu = GPUS[row['gpu']]
    device = gpu.device
    if gpu.changed:
        device = os.path.join(models.folder, models.changed('devices', device, **gpu.changed))
    machine = {'device': device, 'inside': gpu.inside}
    if gpu.per_node != 8:
        machine['gpus-per-node'] = min(gpu.per_node, int(row['gpus']))
    if int(row['gpus']) <= gpu.per_node:
        return machine
    machine['between'] = gpu.between
    told = cards(row['notes'])
    if told:
        machine['nics-per-node'], machine['between'] = told
    return machine
