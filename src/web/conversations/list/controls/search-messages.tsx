import { paletteAsked } from '#web/platform/commands.ts'
import { Button } from '#web/ui/buttons/button.tsx'

/** A single letter is in everything. */
const leastLength = 2

/** Where no conversation is found by a name: leads to those in which it was said. */
export function SearchMessages({ typed }: { typed: string }) {
  const words = typed.trim()
  if (words.length < leastLength) return null
  return (
    <Button className="max-w-full" onClick={() => paletteAsked.emit(words)}>
      <span className="min-w-0 truncate">{`Procurar “${words}” nas mensagens`}</span>
    </Button>
  )
}
