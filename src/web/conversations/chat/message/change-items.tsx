import { Pencil, Trash2 } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { isDeletable, isEditable } from '#shared/messages/message-changes.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { useMe } from '#web/users/users.tsx'
import type { MessageActions } from './message-item.ts'

/** Editing and deleting, offered as long as WhatsApp allows them at the moment the menu opens. */
export function ChangeItems({ message, actions }: { message: Message; actions: MessageActions }) {
  const me = useMe()
  const { onEdit, onDelete } = actions
  const canEdit = onEdit && isEditable(message, me.id, serverNow())
  const canDelete = onDelete && isDeletable(message, me, serverNow())
  return (
    <>
      {canEdit && (
        <MenuItem icon={Pencil} leadsElsewhere onSelect={() => onEdit(message)}>
          Editar
        </MenuItem>
      )}
      {canDelete && (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} isDanger leadsElsewhere onSelect={() => onDelete(message)}>
            Apagar para todos
          </MenuItem>
        </>
      )}
    </>
  )
}
