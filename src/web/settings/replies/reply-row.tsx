import { Ellipsis, Paperclip, Pencil, Trash2 } from 'lucide-react'
import type { OwnedReply } from '#shared/quick-replies/quick-replies.ts'
import { AudioPlayer } from '#web/media/media.tsx'
import { shortDate } from '#web/platform/dates.ts'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cut } from '#web/ui/cut.ts'
import { FileName } from '#web/ui/file-name.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { fileUrlOf, usesText } from './replies.ts'

/** A quick reply in the list: its shortcut, what it says, whose it is, and how often it was sent. */
export function ReplyRow({
  reply: { id, shortcut, text, file, sectorId, uses, lastUsedAt, isChangeable },
  showsScope,
  onEdit,
  onDelete,
}: {
  reply: OwnedReply
  showsScope: boolean
  onEdit: () => void
  onDelete: () => void
}) {
  return (
    <div className="flex min-h-11 items-center gap-3 py-1.5 pr-2 pl-4 text-sm hover:bg-hover max-md:pl-3">
      <div className="grid min-w-0 flex-1 items-center gap-x-3 gap-y-0.5 md:grid-cols-[128px_minmax(0,1fr)]">
        <span className="truncate font-semibold text-accent-text" title={shortcut}>
          /{shortcut}
        </span>
        {file?.voiceSeconds === undefined ? (
          <span className="flex min-w-0 items-center gap-2">
            {text !== '' && (
              <span className="line-clamp-2 min-w-0 text-ink-2" dir="auto" title={text}>
                {cut(text)}
              </span>
            )}
            {file && (
              <span className="flex max-w-44 min-w-8 flex-none items-center gap-1 text-xs text-ink-2">
                <Paperclip size={14} aria-hidden className="flex-none text-ink-3" />
                <FileName name={file.fileName} />
              </span>
            )}
          </span>
        ) : (
          <span className="block max-w-80 min-w-0">
            <AudioPlayer
              key={file.name}
              url={fileUrlOf(id)}
              seconds={file.voiceSeconds}
              label={`Voz da resposta ${shortcut}`}
            />
          </span>
        )}
      </div>
      {showsScope &&
        (sectorId === null ? (
          <span className="flex-none text-xs text-ink-3">Só eu</span>
        ) : (
          <SectorBadge sectorId={sectorId} className="max-w-36 min-w-8 shrink" />
        ))}
      <span
        className="w-16 flex-none text-right text-xs text-ink-2 tabular-nums max-md:hidden"
        title={lastUsedAt === null ? undefined : `A última vez ${shortDate(lastUsedAt)}`}
      >
        {usesText(uses)}
      </span>
      {isChangeable ? (
        <Menu
          trigger={
            <IconButton icon={Ellipsis} size="sm" label={`Ações: ${shortcut}`} className="max-md:size-11" />
          }
        >
          <MenuItem icon={Pencil} leadsElsewhere onSelect={onEdit}>
            Editar
          </MenuItem>
          <MenuItem icon={Trash2} leadsElsewhere onSelect={onDelete}>
            Excluir
          </MenuItem>
        </Menu>
      ) : (
        <span className="w-7 flex-none max-md:w-0" />
      )}
    </div>
  )
}
