import { fileOfNote, hashOf } from './note-files.ts'
import type { Answer } from './office.ts'

const mostShown = 20

/** What came of the acts. */
export class Tally {
  /** How often each was answered how. */
  readonly answers = new Map<string, number>()
  readonly refusals = { checked: 0, faults: [] as string[] }
  readonly others = { checked: 0, faults: [] as string[] }
  readonly statements = { checked: 0, faults: [] as string[] }
  readonly leaks = { checked: 0, faults: [] as string[] }
  readonly controls = { checked: 0, faults: [] as string[] }
  /** Of the files of notes. */
  readonly hashes = new Set<string>()

  #count(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1)
  }

  #fault(faults: string[], line: string): void {
    if (faults.length < mostShown) faults.push(line)
  }

  noteFile(mark: string): Buffer {
    const bytes = fileOfNote(mark)
    this.hashes.add(hashOf(bytes))
    return bytes
  }

  /** Of a call that may be answered with these alone. @returns whether it succeeded */
  expect(what: string, { status, text }: Answer, statuses: readonly number[]): boolean {
    this.#count(`${what}: ${status}`)
    this.others.checked++
    if (!statuses.includes(status))
      this.#fault(this.others.faults, `${what}: ${status} ${text.slice(0, 200)}`)
    return status < 300
  }

  /** Of a call that must be refused by one of these codes, with its status and a sentence. */
  refused(what: string, { status, text }: Answer, codes: readonly string[]): void {
    const { code, message } = refusalIn(text)
    this.#count(`${what}: ${status} ${code}`)
    this.refusals.checked++
    const isSaid = /^\p{Lu}.{8,}$/su.test(message)
    if (status >= 400 && status < 500 && codes.includes(code) && isSaid) return
    this.#fault(this.refusals.faults, `${what}: ${status} ${text.slice(0, 200)}`)
  }

  /** @param constraint what refused a statement */
  byHand(what: string, constraint: string | undefined, holding: ReadonlySet<string>): void {
    this.#count(`by hand, ${what}: ${constraint ?? 'taken'}`)
    this.statements.checked++
    if (constraint === undefined || !holding.has(constraint))
      this.#fault(this.statements.faults, `${what}: ${constraint ?? 'taken'}`)
  }

  /** @param marks what of notes was found there */
  leak(where: string, marks: readonly string[]): void {
    this.leaks.checked++
    if (marks.length > 0) this.#fault(this.leaks.faults, `${where}: ${marks.slice(0, 3).join(', ')}`)
  }

  /** Something that the proof must see, or it would find nothing. */
  control(what: string, isSo: boolean): void {
    this.controls.checked++
    if (!isSo) this.#fault(this.controls.faults, what)
  }
}

function refusalIn(text: string): { code: string; message: string } {
  try {
    const { code = '', message = '' } = JSON.parse(text) as { code?: string; message?: string }
    return { code, message }
  } catch {
    return { code: '', message: '' }
  }
}
