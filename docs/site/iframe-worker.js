// Pages that are opened from the disk may start no Worker, so their search would not answer. There a hidden frame runs the
// worker's script instead: what it hears and says goes through its own `onmessage` and `postMessage`, as in a Worker.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const room = this.frame.contentWindow
      room.postMessage = (said) => setTimeout(() => this.onmessage?.({ data: said }))
      this.ready = new Promise((resolve, reject) => {
        const script = room.document.createElement("script")
        script.src = new URL(address, location)
        script.onload = resolve
        script.onerror = reject
        room.document.body.append(script)
      })
      this.ready.catch((fault) => this.onerror?.(fault))
    }

    postMessage(told) {
      this.ready.then(() => this.frame.contentWindow.onmessage({ data: structuredClone(told) }))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
