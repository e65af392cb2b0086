// A figure of a network, of which the reader may choose the time.

import {element} from './element.js';
import {Figure} from './figure.js';
import {described, valuesAt} from './network.js';
import {readable} from './units.js';

const stepOfPlay = 160;  // milliseconds

export class NetworkFigure extends Figure {
  update() {
    this.stop();
    this.moment = 0;  // 0: the whole run; else the number of an interval, from 1
    super.update();
  }

  makeControls() {
    const {moments} = this.data;
    if (!moments) return super.makeControls();
    this.slider = element('input', {type: 'range', min: 0, max: moments.length, value: this.moment, step: 1, 'aria-label': 'Time',
                                    input: () => this.choose(Number(this.slider.value))});
    this.when = element('output', {class: 'when'});
    this.button = element('button', {type: 'button', click: () => (this.playing ? this.stop() : this.play())}, 'Play');
    return [...super.makeControls(), element('label', {class: 'time'}, 'Time ', this.slider), this.button, this.when];
  }

  show() {
    this.run(this.fill(this.view));
    if (this.data.moments) this.tell();
  }

  /** Gives a view what links carry at the chosen time. */
  fill(view) {
    return view.data('table', valuesAt(this.data, this.chosenMoment()));
  }

  chosenMoment() {
    return this.moment > 0 ? this.data.moments[this.moment - 1] : null;
  }

  choose(number) {
    this.moment = number;
    this.show();
  }

  tell() {
    const moment = this.chosenMoment();
    const unknown = moment && this.data.rows.some((row) => !moment.values.has(row.number));
    const text = moment ? `${readable(moment.start, 'us')} to ${readable(moment.end, 'us')}${unknown ? '; of dashed links it is not known' : ''}` : 'whole run';
    this.when.textContent = text;
    this.slider.value = this.moment;
    this.slider.setAttribute('aria-valuetext', text);
  }

  play() {
    this.button.textContent = 'Stop';
    this.playing = setInterval(() => this.choose((this.moment + 1) % (this.data.moments.length + 1)), stepOfPlay);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    if (this.button) this.button.textContent = 'Play';
  }

  imageView() {
    return this.fill(super.imageView());
  }

  describe(datum) {
    return described(datum);
  }
}
