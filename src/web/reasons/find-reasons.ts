import { fold } from '#shared/text/fold.ts'
import type { Reason } from '#shared/reasons/reasons.ts'

/** A reason as it is offered. */
export interface OfferedReason {
  id: number
  name: string
  /** The one that it is within. */
  parent: string | undefined
}

export function offeredReason(all: readonly Reason[], { id, name, parentId }: Reason): OfferedReason {
  return { id, name, parent: all.find((one) => one.id === parentId)?.name }
}

/** Those in whose name, or in that of the one that they are within, each typed word begins a word. */
export function findReasons(offered: readonly OfferedReason[], typed: string): OfferedReason[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return offered.filter(({ name, parent = '' }) => {
    const said = ` ${fold(`${parent} ${name}`).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`
    return words.every((word) => said.includes(` ${word}`))
  })
}

/** Where the first typed word begins a word of a text, in UTF-16 units; undefined: nowhere. */
export function markOf(text: string, typed: string): readonly [number, number] | undefined {
  const [word] = fold(typed).split(/\s+/).filter(Boolean)
  if (word === undefined) return undefined
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu))
    for (let end = index + 1; end <= text.length; end++)
      if (fold(text.slice(index, end)) === word) return [index, end]
  return undefined
}
