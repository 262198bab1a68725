import { Ban, PencilLine } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { auditGroups, auditResources, groupName, resourceTexts } from '#shared/audit/audit-actions.ts'
import type { AuditFilter, AuditPage } from '#shared/audit/audit-logs.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { ChoiceChip, FormChip, ToggleChip } from '#web/ui/fields/filter-chip.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PeriodChip } from '#web/ui/fields/period-chip.tsx'

const groups = auditGroups.map((value) => ({ value, label: groupName(value) }))
const resources = auditResources.map((value) => ({ value, label: resourceTexts[value].name }))

/** The chips above the table. */
export function AuditFilters({
  filter,
  people,
  today,
  isFiltered,
  onChange,
  onClear,
}: {
  filter: AuditFilter
  people: AuditPage['people'] | undefined
  today: string
  isFiltered: boolean
  onChange: (next: { [Name in keyof AuditFilter]?: AuditFilter[Name] | undefined }) => void
  onClear: () => void
}) {
  const { from, to, userId, group, resourceType, resourceId, address, outcome, only } = filter
  const person = people?.find(({ id }) => id === userId)
  const object =
    resourceType && `${resourceTexts[resourceType].name}${resourceId === undefined ? '' : ` ${resourceId}`}`
  return (
    <div
      role="group"
      aria-label="Filtros"
      className="flex grow basis-0 flex-wrap items-center gap-1.5 max-md:basis-full md:min-w-120"
    >
      <PeriodChip from={from} to={to} today={today} onChange={onChange} />
      <ChoiceChip
        label="Pessoa"
        shown={userId === undefined ? undefined : (person?.name ?? `Pessoa ${userId}`)}
        value={userId === undefined ? '' : String(userId)}
        options={people?.map(({ id, name, username, isDeleted }) => ({
          value: String(id),
          label: `${name} (@${username}${isDeleted ? ', excluída' : ''})`,
        }))}
        searchPlaceholder="Buscar pessoa..."
        nothingFound="Ninguém corresponde à busca"
        anything="Qualquer pessoa"
        onChoose={(value) => onChange({ userId: Number(value) })}
        onClear={() => onChange({ userId: undefined })}
      />
      <ChoiceChip
        label="Ação"
        shown={group && groupName(group)}
        value={group ?? ''}
        options={groups}
        searchPlaceholder="Buscar ação..."
        anything="Qualquer ação"
        onChoose={(value) => onChange({ group: auditGroups.find((one) => one === value) })}
        onClear={() => onChange({ group: undefined })}
      />
      <ChoiceChip
        label="Objeto"
        shown={object}
        value={resourceType ?? ''}
        options={resources}
        searchPlaceholder="Buscar objeto..."
        anything="Qualquer objeto"
        onChoose={(value) =>
          onChange({ resourceType: auditResources.find((one) => one === value), resourceId: undefined })
        }
        onClear={() => onChange({ resourceType: undefined, resourceId: undefined })}
      />
      <FormChip label="Endereço" shown={address} onClear={() => onChange({ address: undefined })}>
        {(close) => (
          <AddressForm
            address={address ?? ''}
            onChoose={(next) => {
              onChange({ address: next === '' ? undefined : next })
              close()
            }}
          />
        )}
      </FormChip>
      <ToggleChip
        label="Só recusados"
        icon={Ban}
        isOn={outcome === 'refused'}
        onToggle={() => onChange({ outcome: outcome === 'refused' ? undefined : 'refused', only: undefined })}
      />
      <ToggleChip
        label="Só mudanças"
        icon={PencilLine}
        isOn={only === 'changes'}
        onToggle={() => onChange({ only: only ? undefined : 'changes', outcome: undefined })}
      />
      {isFiltered && (
        <Button variant="ghost" size="sm" className="text-xs" onClick={onClear}>
          Limpar filtros
        </Button>
      )}
    </div>
  )
}

function AddressForm({ address, onChoose }: { address: string; onChoose: (address: string) => void }) {
  const [typed, setTyped] = useState(address)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onChoose(typed.trim())
  }
  return (
    <form className="grid w-60 gap-3" onSubmit={apply}>
      <Field label="Endereço (IP)">
        {(control) => (
          <Input
            {...control}
            fieldSize="bar"
            inputMode="text"
            autoComplete="off"
            maxLength={64}
            placeholder="203.0.113.7"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary">
        Aplicar
      </Button>
    </form>
  )
}
