import { Phone, PhoneIncoming, PhoneMissed, PhoneOff, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { Fragment } from 'react'
import type { PhoneCall } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { menuItemLook, menuLabelLook, menuLineLook, menuLook } from '#web/ui/overlays/menu-look.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { toast } from '#web/ui/states/toast.ts'

interface Ending {
  outcome: PhoneCall['outcome']
  icon: LucideIcon
  label: string
  resultText: string
}

const endings: Ending[] = [
  { outcome: 'missed', icon: PhoneMissed, label: 'Toca e ninguém atende', resultText: 'ninguém atendeu' },
  { outcome: 'rejected', icon: PhoneOff, label: 'É recusada', resultText: 'foi recusada' },
  {
    outcome: 'answered',
    icon: PhoneIncoming,
    label: 'É atendida no celular da empresa',
    resultText: 'foi atendida no celular da empresa',
  },
]
const calls = [
  { video: false, title: 'Chamada de voz' },
  { video: true, title: 'Chamada de vídeo' },
]

/** Calls the company, with a chosen outcome. */
export function CallMenu({ phoneId }: { phoneId: string }) {
  const { run } = useAction()
  const call = (title: string, video: boolean, { outcome, resultText }: Ending) =>
    run(async () => {
      await simulatorApi.call(phoneId, { video, outcome })
      toast({ title: `${title}: ${resultText}` })
    })
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        <IconButton label="Ligar para a empresa" icon={Phone} size="sm" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={menuLook} align="end" sideOffset={4} collisionPadding={8}>
          {calls.map(({ video, title }, index) => (
            <Fragment key={title}>
              {index > 0 && <Radix.Separator className={menuLineLook} />}
              <Radix.Group aria-label={title}>
                <Radix.Label className={menuLabelLook}>{title}</Radix.Label>
                {endings.map((ending) => (
                  <Radix.Item
                    key={ending.outcome}
                    className={menuItemLook}
                    onSelect={() => call(title, video, ending)}
                  >
                    <ending.icon size={16} aria-hidden className="text-ink-2" />
                    {ending.label}
                  </Radix.Item>
                ))}
              </Radix.Group>
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
