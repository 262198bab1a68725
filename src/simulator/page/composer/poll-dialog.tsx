import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'

const fewest = 2
const most = 12
const formId = 'new-poll'

function howManyOptions(count: number) {
  return [
    { value: '1', label: 'Só uma' },
    ...Array.from({ length: Math.max(0, count - fewest) }, (_, index) => ({
      value: String(index + 2),
      label: `Até ${index + 2}`,
    })),
    { value: '0', label: 'Quantas quiser' },
  ]
}

/** The validation error of a poll. Empty options do not count. */
function problemsIn(name: string, options: string[]) {
  return {
    name: name === '' ? 'Escreva a pergunta' : undefined,
    options:
      options.length < fewest
        ? 'Escreva ao menos duas opções'
        : new Set(options).size < options.length
          ? 'As opções têm de ser diferentes'
          : undefined,
  }
}

/** Creates a poll. */
export function PollDialog({
  onClose,
  onSend,
}: {
  onClose: () => void
  onSend: (message: PhoneMessage) => void
}) {
  const [question, setQuestion] = useState('')
  const [fields, setFields] = useState<string[]>(['', ''])
  const [count, setCount] = useState('1')
  const [isTried, setIsTried] = useState(false)
  const name = question.trim()
  const options = fields.map((text) => text.trim()).filter((text) => text !== '')
  const howMany = howManyOptions(options.length)
  const selectable = howMany.some(({ value }) => value === count) ? count : '1'
  const problems = problemsIn(name, options)
  function send() {
    setIsTried(true)
    if (problems.name ?? problems.options) return
    onSend({ kind: 'poll', name, options, selectableCount: Number(selectable) })
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Nova enquete"
      footer={<FormFooter form={formId} isBusy={false} label="Enviar enquete" onCancel={onClose} />}
    >
      <form
        id={formId}
        noValidate
        className="grid gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Field label="Pergunta" isRequired error={isTried ? problems.name : undefined}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={question}
              onChange={({ target }) => setQuestion(target.value)}
            />
          )}
        </Field>
        <OptionFields fields={fields} error={isTried ? problems.options : undefined} onChange={setFields} />
        <Field label="Quantas opções cada um pode marcar">
          {(control) => <Select {...control} value={selectable} onChange={setCount} options={howMany} />}
        </Field>
      </form>
    </Dialog>
  )
}

function OptionFields({
  fields,
  error,
  onChange,
}: {
  fields: string[]
  error: string | undefined
  onChange: (fields: string[]) => void
}) {
  const problemId = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Opções *</legend>
      {fields.map((text, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an option has no identity but its index until
        // it is sent
        <div key={index} className="flex items-center gap-1">
          <Input
            aria-label={`Opção ${index + 1}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? problemId : undefined}
            autoComplete="off"
            value={text}
            onChange={({ target }) => onChange(fields.with(index, target.value))}
          />
          {fields.length > fewest && (
            <IconButton
              label={`Tirar a opção ${index + 1}`}
              icon={X}
              size="sm"
              onClick={() => onChange(fields.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {error && (
        <p id={problemId} role="alert" className="text-xs text-red-text">
          {error}
        </p>
      )}
      {fields.length < most && (
        <div>
          <Button size="sm" icon={Plus} onClick={() => onChange([...fields, ''])}>
            Adicionar opção
          </Button>
        </div>
      )}
    </fieldset>
  )
}
