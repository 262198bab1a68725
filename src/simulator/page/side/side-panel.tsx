import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { SimulatorState } from '#simulator/control-views.ts'
import { Button } from '#web/ui/button.tsx'
import type { ShownPhones } from '#simulator/page/shown-phones.ts'
import { FaultList } from './fault-list.tsx'
import { NewPhoneDialog } from './new-phone-dialog.tsx'
import { PhoneChoice } from './phone-choice.tsx'
import { PhoneCheck } from './phone-check.tsx'
import { ScriptButton } from './script-button.tsx'

/** Which phones are seen, and what goes wrong. */
export function SidePanel({
  state,
  shownPhones,
  onChosen,
}: {
  state: SimulatorState
  shownPhones: ShownPhones
  /** Present where only one phone fits: the rows then choose which. */
  onChosen?: () => void
}) {
  const [isAdding, setIsAdding] = useState(false)
  const { shown, front, show, hide, bringToFront } = shownPhones
  const choose = (id: string) => {
    bringToFront(id)
    onChosen?.()
  }
  return (
    <div className="thin-scroll flex min-h-0 flex-1 flex-col overflow-y-auto pb-3">
      <h2 className="flex shrink-0 justify-between px-4 pt-3.5 pb-1.5 text-xs font-semibold text-ink-2">
        Celulares
        <span className="font-normal text-ink-3 tabular-nums">
          {onChosen ? state.phones.length : `${shown.length} de ${state.phones.length} na tela`}
        </span>
      </h2>
      <ul aria-label="Celulares" className="thin-scroll min-h-[204px] shrink overflow-y-auto">
        {state.phones.map((phone) => (
          <li key={phone.id}>
            {onChosen ? (
              <PhoneChoice phone={phone} isHere={phone.id === front?.id} onChoose={() => choose(phone.id)} />
            ) : (
              <PhoneCheck
                phone={phone}
                isShown={shown.includes(phone)}
                onChange={(isShown) => (isShown ? show(phone.id) : hide(phone.id))}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="flex shrink-0 gap-2 px-3 pt-2 pb-1">
        <Button size="sm" icon={Plus} onClick={() => setIsAdding(true)}>
          Novo celular
        </Button>
        <ScriptButton phones={onChosen ? (front ? [front] : []) : shown} />
      </div>
      <FaultList faults={state.faults} />
      <NewPhoneDialog
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onMade={(id) => {
          setIsAdding(false)
          choose(id)
        }}
      />
    </div>
  )
}
