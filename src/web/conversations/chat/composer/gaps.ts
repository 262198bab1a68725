import { useRef } from 'react'
import { fieldNameOf } from '#shared/text/field-names.ts'
import { forgottenIn, placeholdersIn } from '#shared/text/template.ts'
import { toast } from '#web/ui/states/toast.ts'
import type { Range } from './quick-replies.ts'

/** The placeholders that no client should read: those known, and those that a reply left standing. */
export function useGaps() {
  const left = useRef(new Set<string>())
  return {
    add: (missing: readonly string[]) => {
      for (const each of missing) left.current.add(each)
    },
    /** Without those that get their values when the text is sent later. */
    inLater: (text: string) => {
      const filled = new Set(forgottenIn(text))
      return placeholdersIn(text).filter((each) => left.current.has(each) && !filled.has(each))
    },
    in: (text: string) => {
      const forgotten = new Set(forgottenIn(text))
      return placeholdersIn(text).filter((each) => forgotten.has(each) || left.current.has(each))
    },
  }
}

/** Where the first of these placeholders stands in a text. */
export function gapIn(text: string, missing: readonly string[]): Range | undefined {
  const found = missing
    .map((each): Range => [text.indexOf(each), text.indexOf(each) + each.length])
    .filter(([from]) => from !== -1)
  return found.toSorted(([a], [b]) => a - b)[0]
}

/** The reply was inserted with these placeholders standing. */
export function toastGaps(missing: readonly string[]): void {
  toast({
    tone: 'info',
    title: missing.length === 1 ? 'Um campo ficou sem valor' : 'Alguns campos ficaram sem valor',
    description: `Não há o que pôr em ${namesOf(missing)} nesta conversa: escreva no lugar marcado.`,
  })
}

/** Such a text is not sent. */
export function toastMissingValues(missing: readonly string[]): void {
  const fields = namesOf(missing)
  toast({
    tone: 'error',
    title: 'O texto tem um campo sem valor',
    description: `Não há o que pôr em ${fields} nesta conversa. Troque por palavras antes de enviar.`,
  })
}

/** @param missing placeholders with their braces */
const namesOf = (missing: readonly string[]) => missing.map(fieldNameOf).join(', ')
