import { ChevronDown, Smartphone } from 'lucide-react'
import { useLocation } from 'wouter'
import { newChatAddress } from '#web/contacts/contacts.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

/** By which number a new chat begins; undefined where there is one only. */
export function useChosenNumber(asked: number | undefined): number | undefined {
  const { living } = useNumbers()
  if (living.length < 2) return undefined
  const active = living.filter(({ isActive }) => isActive)
  return active.some(({ id }) => id === asked) ? asked : active[0]?.id
}

/** Above a chat without a conversation: the number that it will go by. */
export function NumberChoice({ contactId, chosen }: { contactId: number; chosen: number }) {
  const [, navigate] = useLocation()
  const { living, nameOf } = useNumbers()
  const active = living.filter(({ isActive }) => isActive)
  const name = nameOf(chosen)
  return (
    <div className="flex flex-none items-center gap-2 border-b border-line bg-surface px-3 py-1.5 text-sm">
      <Smartphone aria-hidden size={14} className="flex-none text-ink-2" />
      <span className="flex-none text-ink-2">Escrever pelo número</span>
      {active.length < 2 ? (
        <span className="min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
      ) : (
        <Menu
          align="start"
          trigger={
            <Button size="sm" aria-label={`Escrever pelo número ${name ?? ''}`} className="min-w-0 shrink">
              <span className="max-w-48 truncate">{name}</span>
              <ChevronDown aria-hidden size={14} className="flex-none text-ink-2" />
            </Button>
          }
        >
          <MenuChoice
            label="Número"
            options={active.map((number) => ({
              value: String(number.id),
              label: (
                <span className="max-w-56 truncate">
                  {number.name}
                  {!number.isConnected && <span className="text-ink-3"> · sem conexão</span>}
                </span>
              ),
            }))}
            value={String(chosen)}
            onChoose={(id) => navigate(newChatAddress(contactId, Number(id)), { replace: true })}
          />
        </Menu>
      )}
    </div>
  )
}
