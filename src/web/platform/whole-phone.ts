import { useEffect, useState } from 'react'
import { plainSigns } from '#shared/text/plain-signs.ts'

type Reader = Pick<typeof import('#shared/text/phones/read-phone.ts'), 'readPhone'>

let loaded: Reader | undefined

/** The rules of all countries are large: they are loaded when the first whole number is typed. */
async function loadReader(): Promise<Reader> {
  loaded ??= await import('#shared/text/phones/read-phone.ts')
  return loaded
}

/** Shorter ones are looked for by their digits alone. */
const fewestDigits = 8
const mayBeWhole = (typed: string) => plainSigns(typed).replace(/\D/g, '').length >= fewestDigits

function read(reader: Reader, typed: string): string | undefined {
  const result = reader.readPhone(typed)
  return 'phone' in result ? result.phone : undefined
}

/** The normal form of what somebody has typed; undefined when it is no whole number, or cannot be read. */
export async function wholePhone(typed: string): Promise<string | undefined> {
  if (!mayBeWhole(typed)) return undefined
  return loadReader().then(
    (reader) => read(reader, typed),
    () => undefined,
  )
}

/** The same for a search: undefined also until the rules are loaded. */
export function useWholePhone(typed: string): string | undefined {
  const isWanted = mayBeWhole(typed)
  const [reader, setReader] = useState(loaded)
  useEffect(() => {
    if (!isWanted || reader) return
    let isGone = false
    loadReader().then(
      (found) => isGone || setReader(found),
      // The digits are looked for all the same.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [isWanted, reader])
  return reader && isWanted ? read(reader, typed) : undefined
}
