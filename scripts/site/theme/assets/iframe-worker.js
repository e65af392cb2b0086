// The search of the theme runs in a web worker, which browsers do not start for a page that was opened from a disk.
// There, an invisible frame takes the worker's place: it runs the same script, and messages go to and fro as events.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.onmessage = null
      this.early = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.documentElement.appendChild(this.frame)
      const inner = this.frame.contentWindow
      inner.postMessage = data => this.tell(this, data)
      const script = inner.document.createElement("script")
      script.src = url
      script.onload = () => this.start()
      inner.document.head.appendChild(script)
    }

    // Messages that come before the script is there are kept until it is.
    start() {
      const waiting = this.early
      this.early = null
      for (const data of waiting) this.tell(this.frame.contentWindow, data)
    }

    postMessage(data) {
      if (this.early) this.early.push(data)
      else this.tell(this.frame.contentWindow, data)
    }

    tell(target, data) {
      const event = new MessageEvent("message", { data })
      target.dispatchEvent(event)
      if (target === this && this.onmessage) this.onmessage(event)
    }

    terminate() {
      this.frame.remove()
    }
  }
}
