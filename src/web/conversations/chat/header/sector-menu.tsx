import type { Conversation } from '#shared/conversations/conversations.ts'
import { useSetSector } from '#web/conversations/mutations/sector-mutations.ts'
import { useSectorParts } from '#web/conversations/rows/use-sector-parts.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'

const none = 'none'

/** The sector of a conversation, and the choice of another one, of which the client is told nothing. */
export function SectorMenu({ conversation }: { conversation: Conversation }) {
  const { living, areAny } = useSectors()
  const mayChange = useCan('transfer') && conversation.status !== 'completed'
  const { mutate } = useSetSector(conversation)
  const parts = useSectorParts()
  if (!parts) return null
  const { sectorId } = conversation
  if (!areAny || !mayChange) return <parts.SectorBadge sectorId={sectorId} />
  const offered = living.filter(
    ({ id, isActive, numberIds }) =>
      id === sectorId || (isActive && (numberIds?.includes(conversation.instanceId) ?? true)),
  )
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="target flex-none rounded-tag">
          <span className="sr-only">Mudar setor: </span>
          <parts.SectorBadge opensMenu sectorId={sectorId} />
        </button>
      }
    >
      <MenuChoice
        label="Setor"
        options={[
          ...offered.map(({ id, name }) => ({
            value: String(id),
            label: <span className="max-w-56 truncate">{name}</span>,
          })),
          { value: none, label: 'Sem setor' },
        ]}
        value={sectorId === null ? none : String(sectorId)}
        onChoose={(value) =>
          mutate(value === none ? null : Number(value), {
            onError: (error) =>
              toast({ tone: 'error', title: 'O setor não mudou', description: error.message }),
          })
        }
      />
    </Menu>
  )
}
