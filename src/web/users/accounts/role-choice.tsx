import { RadioGroup } from 'radix-ui'
import { type Role, roles } from '#shared/permissions.ts'
import { roleLabels } from '#shared/text/text.ts'
import { roleIcons } from './role-badge.tsx'

const purposes: Record<Role, string> = {
  operator: 'Atende e finaliza conversas',
  supervisor: 'Vê a equipe e os relatórios',
  admin: 'Tudo, e quem pode o quê',
}

/** The roles as cards, with what each is for. */
export function RoleChoice({
  value,
  onChange,
  isDisabled,
}: {
  value: Role
  onChange: (role: Role) => void
  isDisabled: boolean
}) {
  return (
    <div className="grid gap-1.5">
      <span id="role-label" className="text-sm font-medium">
        Perfil *
      </span>
      <RadioGroup.Root
        asChild
        aria-labelledby="role-label"
        value={value}
        onValueChange={(role) => onChange(role as Role)}
        disabled={isDisabled}
      >
        <div className="grid gap-2 md:grid-cols-3">
          {roles.toReversed().map((role) => (
            <RadioGroup.Item key={role} asChild value={role}>
              <button type="button" className={cardLook}>
                <RoleText role={role} />
              </button>
            </RadioGroup.Item>
          ))}
        </div>
      </RadioGroup.Root>
      {isDisabled && <p className="text-xs text-ink-3">O próprio perfil só outro administrador muda.</p>}
    </div>
  )
}

const cardLook = [
  'grid content-start gap-0.5 rounded-control border border-line-strong px-3 py-2 text-left',
  'not-disabled:hover:bg-hover disabled:cursor-default disabled:text-ink-3',
  'data-[state=checked]:border-accent data-[state=checked]:bg-selected',
].join(' ')

function RoleText({ role }: { role: Role }) {
  const Icon = roleIcons[role]
  return (
    <>
      <span className="flex items-center gap-1.5 text-sm font-medium">
        <Icon aria-hidden size={14} />
        {roleLabels[role]}
      </span>
      <span className="text-xs text-ink-2">{purposes[role]}</span>
    </>
  )
}
