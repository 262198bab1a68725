import { FileText, Image, ImagePlus, MapPin, Music, Plus, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { useRef } from 'react'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { menuItemLook, menuLook } from '#simulator/page/menu-look.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { samplePhoto } from './samples.ts'

const place: PhoneMessage = {
  kind: 'location',
  latitude: -23.5617,
  longitude: -46.656,
  name: 'Galpão Bela Vista',
  address: 'Rua Treze de Maio, 1200, São Paulo',
}

/** Pictures, documents, the sample ones, and a place. */
export function AttachMenu({
  onFile,
  onSampleVoice,
  onMessage,
}: {
  onFile: (file: File) => void
  onSampleVoice: () => void
  onMessage: (message: PhoneMessage) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const pick = (accept: string) => {
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
            <Item icon={ImagePlus} onSelect={() => void samplePhoto().then(onFile)}>
              Foto de exemplo
            </Item>
            <Item icon={Music} onSelect={onSampleVoice}>
              Áudio de exemplo
            </Item>
            <Item icon={MapPin} onSelect={() => onMessage(place)}>
              Localização
            </Item>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
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
