import { SquarePen } from 'lucide-react'
import { useLocation } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { newChatAddress, PanelSection } from '#web/contacts/contacts.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cut } from '#web/ui/cut.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { useCan } from '#web/users/users.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

/** By which number the chat goes, and the way to write to the contact by another one. */
export function NumberSection({ conversation }: { conversation: Conversation }) {
  const [, navigate] = useLocation()
  const mayStart = useCan('startConversation')
  const { living, find } = useNumbers()
  const number = find(conversation.instanceId)
  if (living.length < 2 || !number) return null
  const others = living.filter(({ id, isActive }) => isActive && id !== number.id)
  return (
    <PanelSection title="Número">
      <p className="flex min-w-0 items-center gap-1.5 text-sm">
        <span className="min-w-0 truncate font-medium" title={number.name}>
          {number.name}
        </span>
        {!number.isActive ? (
          <Badge>{number.isDeleted ? 'Excluído' : 'Desativado'}</Badge>
        ) : (
          !number.isConnected && <Badge tone="red">Sem conexão</Badge>
        )}
      </p>
      {number.phone && <p className="text-sm text-ink-2 tabular-nums">{formatPhone(number.phone)}</p>}
      {mayStart && others.length > 0 && !conversation.contact.isBlocked && (
        <Menu
          align="start"
          trigger={
            <Button size="sm" icon={SquarePen} className="mt-2">
              Escrever por outro número
            </Button>
          }
        >
          {others.map(({ id, name }) => (
            <MenuItem
              key={id}
              icon={SquarePen}
              leadsElsewhere
              onSelect={() => navigate(newChatAddress(conversation.contactId, id))}
            >
              {cut(name, 32)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </PanelSection>
  )
}
