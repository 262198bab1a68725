import {
  ChartNoAxesColumn,
  ContactRound,
  Ellipsis,
  FileText,
  Image,
  ImagePlus,
  MapPin,
  Music,
  Plus,
  type LucideIcon,
} from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { menuItemLook, menuLineLook, menuLook } from '#web/ui/overlays/menu-look.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { MoreKindsDialog } from './samples/more-kinds-dialog.tsx'
import { PollDialog } from './poll-dialog.tsx'
import type { SampleMaker } from './samples/sample-group.ts'
import { sampleContact, samplePlace } from './samples/sample-messages.ts'
import { samplePhoto } from './samples/sample-photo.ts'

/** What can be sent besides text: the common kinds, and all others behind the last row. */
export function AttachMenu({
  onFile,
  onSampleVoice,
  onSample,
  onMessage,
}: {
  onFile: (file: File) => void
  onSampleVoice: () => void
  onSample: (make: SampleMaker) => void
  onMessage: (message: PhoneMessage) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<'poll' | 'more'>()
  const close = () => setOpen(undefined)
  function pick(accept: string) {
    if (!picker.current) return
    picker.current.accept = accept
    picker.current.click()
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="Arquivo para enviar"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) onFile(file)
          target.value = ''
        }}
      />
      <Radix.Root modal={false}>
        <Radix.Trigger asChild>
          <IconButton label="Enviar mídia" icon={Plus} size="sm" className="my-0.5" />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className={menuLook} side="top" align="start" sideOffset={6} collisionPadding={8}>
            <Item icon={Image} onSelect={() => pick('image/*,video/*')}>
              Escolher foto ou vídeo
            </Item>
            <Item icon={FileText} onSelect={() => pick('')}>
              Escolher arquivo
            </Item>
            <Radix.Separator className={menuLineLook} />
            <Item icon={ImagePlus} onSelect={() => void samplePhoto().then(onFile)}>
              Foto de exemplo
            </Item>
            <Item icon={Music} onSelect={onSampleVoice}>
              Áudio de exemplo
            </Item>
            <Item icon={MapPin} onSelect={() => onMessage(samplePlace)}>
              Localização
            </Item>
            <Item icon={ContactRound} onSelect={() => onMessage(sampleContact)}>
              Contato
            </Item>
            <Item icon={ChartNoAxesColumn} onSelect={() => setOpen('poll')}>
              Enquete…
            </Item>
            <Radix.Separator className={menuLineLook} />
            <Item icon={Ellipsis} onSelect={() => setOpen('more')}>
              Mais tipos…
            </Item>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {open === 'poll' && <PollDialog onClose={close} onSend={onMessage} />}
      {open === 'more' && <MoreKindsDialog onClose={close} onChoose={onSample} />}
    </>
  )
}

function Item({
  icon: Icon,
  onSelect,
  children,
}: {
  icon: LucideIcon
  onSelect: () => void
  children: string
}) {
  return (
    <Radix.Item className={menuItemLook} onSelect={onSelect}>
      <Icon size={16} aria-hidden className="text-ink-2" />
      {children}
    </Radix.Item>
  )
}
