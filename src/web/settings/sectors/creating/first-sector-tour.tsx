import { useId, useRef, useState } from 'react'
import type { ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { PeopleList } from '#web/settings/sectors/choices/people-list.tsx'
import { Consequences } from './consequences.tsx'
import { NameFields } from './name-fields.tsx'
import { NumbersStep } from './numbers-step.tsx'
import { useNewSector } from './use-new-sector.ts'

const steps = ['Nome e cor', 'Pessoas', 'Números', 'O que muda'] as const

/**
 * Leads whoever makes the first sector through what it needs, and says what changes for whom. Nothing is
 * written before the last step.
 */
export function FirstSectorTour({
  managed: { sectors, candidates, inherited },
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
  const { draft, change, isNameless } = made
  const [step, setStep] = useState(0)
  const [isTried, setTried] = useState(false)
  const heading = useRef<HTMLParagraphElement>(null)
  const isLast = step === steps.length - 1
  const goTo = (next: number) => {
    setStep(next)
    // Who reads with the ear is told where they are.
    heading.current?.focus()
  }
  const next = async () => {
    setTried(true)
    if (isNameless || made.isTaken) return goTo(0)
    if (!isLast) return goTo(step + 1)
    const id = await made.create()
    if (id !== undefined) onCreated(id)
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Criar o primeiro setor"
      className="md:w-[560px]"
      footer={
        <>
          {step > 0 ? (
            <Button variant="ghost" className="mr-auto" onClick={() => goTo(step - 1)}>
              Voltar
            </Button>
          ) : (
            <Button variant="ghost" className="mr-auto" onClick={discard.close}>
              Cancelar
            </Button>
          )}
          <Button type="submit" form={form} variant="primary" isBusy={made.isBusy} busyLabel="Criando...">
            {isLast ? 'Criar setor' : 'Continuar'}
          </Button>
        </>
      }
    >
      <p ref={heading} tabIndex={-1} className="text-sm text-ink-2 outline-none">
        Passo {step + 1} de {steps.length}: <b className="font-semibold text-ink">{steps[step]}</b>
      </p>
      <form
        id={form}
        noValidate
        className="grid min-h-60 grid-cols-[minmax(0,1fr)] content-start gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          void next()
        }}
      >
        {step === 0 && (
          <NameFields draft={draft} place={1} error={made.nameError(isTried)} onChange={change} />
        )}
        {step === 1 && (
          <>
            <p className="text-sm text-pretty text-ink-2">
              Quem atende as conversas deste setor. Responsáveis o veem inteiro e mudam pessoas, textos e
              horário.
            </p>
            <PeopleList
              people={draft.people}
              known={[]}
              sectorId={undefined}
              candidates={candidates}
              onChange={(people) => change({ people })}
            />
          </>
        )}
        {step === 2 && <NumbersStep draft={draft} numbers={inherited.numbers} onChange={change} />}
        {isLast && <Consequences draft={draft} candidates={candidates} numbers={inherited.numbers} />}
      </form>
      {/* The name is in the first step: it is told there, too. */}
      {isLast && made.nameError(true) && <Refusal text={made.nameError(true)} />}
      <Refusal text={made.refusal} />
      {discard.question}
    </Dialog>
  )
}

function Refusal({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p role="alert" className="rounded-control bg-red-soft px-3 py-2 text-sm text-red-text">
      {text}
    </p>
  )
}
