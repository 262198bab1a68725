import type { LiveSocket } from './live-socket.ts'

/** The open sockets of this process, by user. */
export class LiveSockets {
  readonly all = new Set<LiveSocket>()
  readonly #byUser = new Map<number, Set<LiveSocket>>()

  get count(): number {
    return this.all.size
  }

  of(userId: number): LiveSocket[] {
    return [...(this.#byUser.get(userId) ?? [])]
  }

  add(socket: LiveSocket): void {
    this.all.add(socket)
    const userId = socket.who.id
    const userSockets = this.#byUser.get(userId) ?? new Set()
    this.#byUser.set(userId, userSockets.add(socket))
  }

  remove(socket: LiveSocket): void {
    this.all.delete(socket)
    const userSockets = this.#byUser.get(socket.who.id)
    userSockets?.delete(socket)
    if (userSockets?.size === 0) this.#byUser.delete(socket.who.id)
  }
}
