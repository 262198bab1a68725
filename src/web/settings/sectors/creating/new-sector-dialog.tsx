import { useId, useState } from 'react'
import type { ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { PeopleList } from '#web/settings/sectors/choices/people-list.tsx'
import { NameFields } from './name-fields.tsx'
import { useNewSector } from './use-new-sector.ts'

/** 'Novo setor': its name, its colour, who is in it; the rest is changed afterwards. */
export function NewSectorDialog({
  managed: { sectors, candidates },
  onClose,
  onCreated,
}: {
  managed: ManagedSectors
  onClose: () => void
  onCreated: (id: number) => void
}) {
  const form = useId()
  const made = useNewSector(sectors)
  const discard = useDiscard(made.isBegun, onClose)
  const { draft, change } = made
  const [isTried, setTried] = useState(false)
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Novo setor"
      description="Horário, textos e números são os da instalação, até que você os mude."
      footer={
        <FormFooter
          form={form}
          isBusy={made.isBusy}
          label="Criar setor"
          busyLabel="Criando..."
          onCancel={discard.close}
        />
      }
    >
      <form
        id={form}
        noValidate
        className="grid gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          void made.create().then((id) => id !== undefined && onCreated(id))
        }}
      >
        <NameFields
          draft={draft}
          place={sectors.length + 1}
          error={made.nameError(isTried)}
          onChange={change}
        />
        <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
          <legend className="mb-1.5 text-sm font-medium">Pessoas</legend>
          <PeopleList
            people={draft.people}
            known={[]}
            sectorId={undefined}
            candidates={candidates}
            onChange={(people) => change({ people })}
          />
          {draft.people.length > 0 && !draft.people.some(({ isLead }) => isLead) && (
            <p role="status" className="text-xs text-pretty text-ink-2">
              Sem responsável, ninguém da equipe é avisado quando a fila para, só quem administra.
            </p>
          )}
        </fieldset>
        {made.refusal && (
          <p role="alert" className="rounded-control bg-red-soft px-3 py-2 text-sm text-red-text">
            {made.refusal}
          </p>
        )}
      </form>
      {discard.question}
    </Dialog>
  )
}
