import { ArrowLeft, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { Controller, FormProvider } from 'react-hook-form'
import type { ManagedSector, ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { SectorDot } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { HoursSection } from './hours-section.tsx'
import { NameSection } from './name-section.tsx'
import { Contested, ForLeads, Gone, NotSaved, SwitchedOff } from './notices.tsx'
import { NumbersSection } from './numbers-section.tsx'
import { PeopleQuestionDialog } from './people-question.tsx'
import { PeopleSection } from './people-section.tsx'
import { AskSection } from './ask-section.tsx'
import { askGroups } from './sector-values.ts'
import { TextsSection } from './texts-section.tsx'
import { useSectorForm } from './use-sector-form.ts'

/** All of one sector, saved by one call with what was changed. */
export function SectorEditor({
  sector,
  place,
  isGone,
  managed: { sectors, candidates, inherited },
  onUnsaved,
  onDelete,
  onBack,
}: {
  sector: ManagedSector
  /** In the client's menu; 1 is the first. */
  place: number
  /** It was deleted while something was typed. */
  isGone: boolean
  managed: Pick<ManagedSectors, 'sectors' | 'candidates' | 'inherited'>
  /** Told whether anything is unsaved: then it stays, whatever becomes of the list. */
  onUnsaved: (sector: ManagedSector | undefined) => void
  onDelete: () => void
  /** Back to the list, where it is a page of its own. */
  onBack: (() => void) | undefined
}) {
  const edited = useSectorForm(sector, inherited)
  const { form, isDirty, isSaving } = edited
  const leaving = useLeaveGuard(isDirty)
  const tell = useEffectEvent(onUnsaved)
  useEffect(() => tell(isDirty ? sector : undefined), [isDirty, sector])
  const top = useRef<HTMLFormElement>(null)
  const isPage = onBack !== undefined
  // A page of its own begins at its top, however far down in the list its row was.
  useEffect(() => {
    if (isPage) top.current?.scrollIntoView({ block: 'start' })
  }, [isPage])
  return (
    <FormProvider {...form}>
      <form ref={top} noValidate onSubmit={edited.submit} aria-label={`Setor ${sector.name}`}>
        <Card>
          <Header sector={sector} onDelete={onDelete} onBack={onBack} />
          <div className="px-4 [--section-side:176px] md:px-5">
            {isGone && <Gone />}
            {!sector.isWhole && <ForLeads />}
            {sector.isActive && !form.watch('isActive') && <SwitchedOff sector={sector} />}
            {edited.contested.length > 0 && (
              <Contested onTakeTheirs={edited.takeTheirs} onKeepMine={edited.keepMine} />
            )}
            <NameSection place={place} isWhole={sector.isWhole} />
            <PeopleSection
              sector={sector}
              candidates={candidates}
              general={inherited.installation.maxActivePerOperator}
            />
            <NumbersSection
              inherited={inherited}
              others={sectors.filter(({ id }) => id !== sector.id)}
              isWhole={sector.isWhole}
            />
            <HoursSection inherited={inherited} />
            {askGroups.map((group) => (
              <AskSection key={group.name} group={group} inherited={inherited} />
            ))}
            <TextsSection inherited={inherited} />
          </div>
          <div
            className={[
              'sticky -bottom-6 z-10 grid gap-2 rounded-b-card border-t border-line bg-sunken px-4 py-2',
              'md:-bottom-10 md:px-5',
            ].join(' ')}
          >
            {edited.failure && <NotSaved text={edited.failure} />}
            <div className="flex min-h-10 flex-wrap items-center justify-end gap-2">
              <p role="status" className="min-w-0 flex-1 basis-52 text-sm text-ink-2 max-md:basis-full">
                {unsavedWords(edited.changes)}
              </p>
              <Button variant="ghost" disabled={!isDirty || isSaving} onClick={edited.discard}>
                Descartar
              </Button>
              <Button
                type="submit"
                variant="primary"
                disabled={!isDirty || isGone}
                isBusy={isSaving}
                busyLabel="Salvando..."
              >
                Salvar
              </Button>
            </div>
          </div>
        </Card>
      </form>
      <LeaveDialog leaving={leaving} />
      {edited.question && (
        <PeopleQuestionDialog
          question={edited.question}
          onStay={() => edited.answer(false)}
          onSave={() => edited.answer(true)}
        />
      )}
    </FormProvider>
  )
}

function unsavedWords(changes: readonly string[]): string {
  if (changes.length === 0) return 'Tudo salvo'
  const count = changes.length === 1 ? '1 mudança não salva' : `${changes.length} mudanças não salvas`
  return `${count}: ${changes.join(', ')}`
}

function Header({
  sector: { name, color, isWhole },
  onDelete,
  onBack,
}: {
  sector: ManagedSector
  onDelete: () => void
  onBack: (() => void) | undefined
}) {
  const id = useId()
  const reason = isWhole ? undefined : 'Somente administradores'
  return (
    <header
      className={[
        'flex min-h-11 items-center gap-2 border-b border-line pr-2 pl-4',
        'max-md:min-h-13 md:pl-5',
      ].join(' ')}
    >
      {onBack && (
        <IconButton
          icon={ArrowLeft}
          label="Voltar aos setores"
          onClick={onBack}
          className="-ml-2 max-md:size-11"
        />
      )}
      <SectorDot color={color} className="size-2" />
      <h2 className="min-w-0 flex-1 truncate text-base font-semibold" title={name} dir="auto">
        {name}
      </h2>
      <Controller
        name="isActive"
        render={({ field: { value, onChange } }) => (
          <span className="flex flex-none items-center gap-2 text-sm text-ink-2" title={reason}>
            <Switch id={id} checked={value as boolean} disabled={!isWhole} onCheckedChange={onChange} />
            <label htmlFor={id}>Ativo</label>
          </span>
        )}
      />
      <span title={reason}>
        <IconButton
          icon={Trash2}
          tone="danger"
          label="Excluir setor"
          disabled={!isWhole}
          onClick={onDelete}
          className="max-md:size-11"
        />
      </span>
    </header>
  )
}
