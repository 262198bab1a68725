import { Plus, Smartphone } from 'lucide-react'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import { ownerPhone } from '#shared/gateway/owner-phone.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { openText, stateOf } from './number-words.ts'

/** The numbers of the installation, one of which is shown below; the first one is the main one. */
export function NumberList({
  numbers,
  chosenId,
  onChoose,
  onAdd,
}: {
  numbers: readonly ManagedNumber[]
  /** undefined: another one is being added. */
  chosenId: number | undefined
  onChoose: (id: number) => void
  onAdd: () => void
}) {
  return (
    <SettingsSection
      title="Números"
      description="Cada um tem sua conexão, e o que quiser de próprio. Um que cai não para os outros."
    >
      <Card className="w-full overflow-hidden">
        <ul aria-label="Números">
          {numbers.map((number, at) => (
            <li key={number.id} className="border-b border-line last:border-b-0">
              <NumberRow
                number={number}
                isMain={at === 0}
                isChosen={number.id === chosenId}
                onChoose={() => onChoose(number.id)}
              />
            </li>
          ))}
        </ul>
      </Card>
      <Button icon={Plus} onClick={onAdd}>
        Adicionar número
      </Button>
    </SettingsSection>
  )
}

function NumberRow({
  number,
  isMain,
  isChosen,
  onChoose,
}: {
  number: ManagedNumber
  isMain: boolean
  isChosen: boolean
  onChoose: () => void
}) {
  const { instanceName, openConversations, lastConnectedAt } = number
  const { tone, word } = stateOf(number)
  const phone = phoneOf(number)
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className={cn(
        'relative flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left text-sm',
        'focus-visible:-outline-offset-2',
        isChosen
          ? 'bg-selected before:absolute before:inset-y-2 before:left-0 before:w-[3px] before:bg-accent'
          : 'hover:bg-hover',
      )}
    >
      <Smartphone aria-hidden size={16} className="flex-none text-ink-2" />
      <span className="min-w-0 flex-1 basis-40">
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="min-w-0 truncate font-medium" title={instanceName}>
            {instanceName}
          </span>
          {isMain && <span className="flex-none text-xs text-ink-3">principal</span>}
        </span>
        <span className="block truncate text-xs text-ink-2 tabular-nums">{phone ?? 'sem celular ainda'}</span>
      </span>
      <span
        className={[
          'grid flex-none gap-0.5 text-xs text-ink-2 tabular-nums',
          'max-md:order-last max-md:w-full max-md:pl-7 md:justify-items-end',
        ].join(' ')}
      >
        <span>{openText(openConversations)}</span>
        {lastConnectedAt && <span className="text-ink-3">última conexão {dateTime(lastConnectedAt)}</span>}
      </span>
      <span className="flex flex-none justify-end md:w-36">
        <Badge tone={tone}>{word}</Badge>
      </span>
    </button>
  )
}

function phoneOf({ ownerJid }: ManagedNumber): string | undefined {
  const digits = ownerPhone(ownerJid)
  return digits ? formatPhone(digits) : undefined
}
