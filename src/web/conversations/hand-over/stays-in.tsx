import { RadioGroup } from 'radix-ui'
import type { Sector } from '#shared/sectors/sectors.ts'
import { SectorDot } from '#web/sectors/sectors.tsx'

/** The sector that is offered first: that of the conversation, if the receiver is in it. */
export const firstOf = (sectors: readonly Sector[], hereId: number | null): string =>
  String((sectors.find(({ id }) => id === hereId) ?? sectors[0])?.id ?? '')

/** Asks in which of the receiver's sectors the conversation is from now on. */
export function StaysIn({
  sectors,
  hereId,
  chosen,
  onChoose,
}: {
  /** Those of the receiver, more than one. */
  sectors: readonly Sector[]
  hereId: number | null
  chosen: string
  onChoose: (id: string) => void
}) {
  return (
    <div className="grid gap-1.5">
      <p id="stays-in" className="text-sm font-medium">
        Em qual setor a conversa fica?
      </p>
      <RadioGroup.Root
        aria-labelledby="stays-in"
        value={chosen}
        onValueChange={onChoose}
        className="grid gap-0.5"
      >
        {sectors.map(({ id, name, color }) => (
          <RadioGroup.Item
            key={id}
            value={String(id)}
            className={[
              'flex min-h-9 items-center gap-2.5 rounded-control px-2 text-left text-sm',
              'hover:bg-hover data-[state=checked]:bg-selected max-md:min-h-11',
            ].join(' ')}
          >
            <SectorDot color={color} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {id === hereId && <span className="text-xs text-ink-2">o setor de agora</span>}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  )
}
