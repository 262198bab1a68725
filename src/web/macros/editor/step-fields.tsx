import { useRef } from 'react'
import { priorities } from '#shared/conversations/conversations.ts'
import { snoozeTimeLabels, snoozeTimeNames } from '#shared/conversations/snooze.ts'
import { type MacroStep, maxStepText } from '#shared/macros/steps.ts'
import { fieldLabels } from '#shared/text/field-names.ts'
import { priorityLabels } from '#shared/text/text.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { FileButton, type StepFile } from './file-button.tsx'
import { idIn, type Known, mentionsIn, type Named, type NamingKind } from './known.ts'

const variables = ['contact', 'firstName', 'operator', 'company', 'protocol', 'sector'] as const
const labels: Record<NamingKind, string> = {
  tag: 'Etiqueta',
  category: 'Categoria do contato',
  sector: 'Setor',
  person: 'Pessoa',
  finalize: 'Motivo',
}

/** The fields of one step. */
export function StepFields({
  step,
  known,
  problem,
  onChange: changeNow,
}: {
  step: MacroStep
  known: Known
  problem: string | undefined
  /** Takes what becomes of the step of now: a file comes when its caption has changed. */
  onChange: (change: (now: MacroStep) => MacroStep) => void
}) {
  const onChange = (next: MacroStep) => changeNow(() => next)
  switch (step.kind) {
    case 'text':
      return <TextField label="Texto" {...{ problem, step, onChange }} extra="variables" known={known} />
    case 'note':
      return <TextField label="Nota" {...{ problem, step, onChange }} extra="mentions" known={known} />
    case 'file':
      return (
        <FileFields
          step={step}
          known={known}
          onFile={(file) => changeNow((now) => (now.kind === 'file' ? { ...now, file } : now))}
          onChange={onChange}
        />
      )
    case 'priority':
      return (
        <Field label="Prioridade">
          {(control) => (
            <Select
              {...control}
              value={step.priority}
              onChange={(value) => onChange({ ...step, priority: value as typeof step.priority })}
              options={priorities.map((value) => ({ value, label: priorityLabels[value] }))}
            />
          )}
        </Field>
      )
    case 'snooze':
      return (
        <div className="grid gap-3 md:grid-cols-2">
          <Field label="Quando" hint="Fechado a essa hora: na próxima abertura.">
            {(control) => (
              <Select
                {...control}
                value={step.time}
                onChange={(value) => onChange({ ...step, time: value as typeof step.time })}
                options={snoozeTimeNames.map((value) => ({ value, label: snoozeTimeLabels[value] }))}
              />
            )}
          </Field>
          <Field label="Motivo" hint="Só a equipe vê.">
            {(control) => (
              <Input
                {...control}
                maxLength={200}
                value={step.reason ?? ''}
                onChange={({ target }) => onChange({ ...step, reason: target.value })}
              />
            )}
          </Field>
        </div>
      )
    default:
      return <Choice step={step} known={known} problem={problem} onChange={onChange} />
  }
}

const none = 'none'

function Choice({
  step,
  known,
  problem,
  onChange,
}: {
  step: Extract<MacroStep, { kind: NamingKind }>
  known: Known
  problem: string | undefined
  onChange: (step: MacroStep) => void
}) {
  const id = idIn(step)
  const all: readonly Named[] = known[step.kind] ?? []
  const offered = all.filter((one) => one.isOffered || one.id === id)
  const take = (value: string) => {
    const next = value === none ? null : Number(value)
    switch (step.kind) {
      case 'tag':
        return onChange({ ...step, tagId: next })
      case 'category':
        return onChange({ ...step, categoryId: next })
      case 'sector':
        return onChange({ ...step, sectorId: next })
      case 'person':
        return onChange({ ...step, userId: next })
      case 'finalize':
        return onChange({ ...step, reasonId: next })
    }
  }
  const isThere = offered.some((one) => one.id === id)
  return (
    <Field label={labels[step.kind]} error={problem}>
      {(control) => (
        <Select
          {...control}
          value={isThere ? String(id) : step.kind === 'finalize' && id === null ? none : undefined}
          placeholder="Escolha"
          onChange={take}
          options={[
            ...(step.kind === 'finalize' ? [{ value: none, label: 'Sem motivo' }] : []),
            ...offered.map((one) => ({ value: String(one.id), label: one.name })),
          ]}
        />
      )}
    </Field>
  )
}

function TextField({
  label,
  step,
  known,
  problem,
  extra,
  onChange,
}: {
  label: string
  step: Extract<MacroStep, { text: string }>
  known: Known
  problem?: string | undefined
  extra: 'variables' | 'mentions'
  onChange: (step: MacroStep) => void
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const write = (text: string) =>
    onChange(
      step.kind === 'note'
        ? { ...step, text, mentions: mentionsIn(text, known, step.mentions ?? []) }
        : { ...step, text },
    )
  const insert = (word: string) => {
    if (!area.current) return
    const { selectionStart, selectionEnd } = area.current
    area.current.setRangeText(word, selectionStart, selectionEnd, 'end')
    area.current.focus()
    write(area.current.value)
  }
  const mentionable = [...(known.sector ?? []), ...(known.person ?? [])].filter(({ isOffered }) => isOffered)
  return (
    <div className="grid gap-1.5">
      <Field
        label={label}
        error={problem}
        hint={extra === 'mentions' ? 'Só a equipe vê. Escreva @ e o nome para avisar alguém.' : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            ref={area}
            rows={3}
            dir="auto"
            maxLength={maxStepText}
            value={step.text}
            onChange={({ target }) => write(target.value)}
            className={fieldLook('lines')}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
        <span>Campos:</span>
        {variables.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={`Inserir ${fieldLabels[name]}`}
            title={`{{${name}}}`}
            onClick={() => insert(`{{${name}}}`)}
            className={[
              'inline-flex h-6 items-center rounded-[5px] border border-line max-md:h-11',
              'bg-sunken px-[7px] font-medium text-ink-2 hover:bg-hover',
            ].join(' ')}
          >
            {fieldLabels[name]}
          </button>
        ))}
        {extra === 'mentions' && mentionable.length > 0 && (
          <Select
            aria-label="Mencionar"
            fieldSize="bar"
            value={undefined}
            placeholder="@ Mencionar"
            onChange={(name) => insert(`@${name} `)}
            options={mentionable.map(({ name }) => ({ value: name, label: name }))}
          />
        )}
      </div>
    </div>
  )
}

function FileFields({
  step,
  known,
  onFile,
  onChange,
}: {
  step: Extract<MacroStep, { kind: 'file' }>
  known: Known
  onFile: (file: StepFile) => void
  onChange: (step: MacroStep) => void
}) {
  return (
    <div className="grid gap-3">
      <FileButton label="Trocar arquivo" className="justify-self-start" onFile={onFile} />
      <TextField label="Legenda" step={step} known={known} extra="variables" onChange={onChange} />
    </div>
  )
}
