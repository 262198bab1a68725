import { Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import type { SimulatorState } from '#simulator/control-views.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import type { ShownPhones } from '#simulator/page/shown-phones.ts'
import { FaultList } from './faults/fault-list.tsx'
import { findPhones } from './phones/find-phones.ts'
import { NewPhoneDialog } from './phones/new-phone-dialog.tsx'
import { OtherEventsDialog } from './other-events-dialog.tsx'
import { PhoneList } from './phones/phone-list.tsx'
import { ScriptButton } from './script-button.tsx'
import { VersionChoice } from './version-choice.tsx'

/** The phones shown, and the faults. */
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
  const [isInOtherEvents, setIsInOtherEvents] = useState(false)
  const { shown, front, bringToFront } = shownPhones
  function choose(id: string) {
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
      <PhoneList phones={state.phones} shownPhones={shownPhones} onChoose={onChosen ? choose : undefined} />
      <div className="flex shrink-0 flex-wrap gap-2 px-3 pt-2 pb-1">
        <Button size="sm" icon={Plus} onClick={() => setIsAdding(true)}>
          Novo celular
        </Button>
        <ScriptButton phones={onChosen ? (front ? [front] : []) : shown} />
        <Button
          size="sm"
          icon={Ellipsis}
          disabled={!front}
          title="Grupo, status, canal, histórico e agenda"
          onClick={() => setIsInOtherEvents(true)}
        >
          Outros eventos
        </Button>
      </div>
      <FaultList faults={state.faults} />
      {state.version && <VersionChoice version={state.version} />}
      {isInOtherEvents && front && (
        <OtherEventsDialog
          phones={findPhones(state.phones, '', new Set(shown.map(({ id }) => id)))}
          front={front}
          onClose={() => setIsInOtherEvents(false)}
        />
      )}
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
