import { Phone, PhoneIncoming, PhoneMissed, PhoneOff, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Fragment } from 'react'
import type { PhoneCall } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { menuLabelLook } from '#web/ui/overlays/menu-look.ts'
import { Menu, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
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
    <Menu trigger={<IconButton label="Ligar para a empresa" icon={Phone} size="sm" />}>
      {calls.map(({ video, title }, index) => (
        <Fragment key={title}>
          {index > 0 && <MenuLine />}
          <DropdownMenu.Group aria-label={title}>
            <DropdownMenu.Label className={menuLabelLook}>{title}</DropdownMenu.Label>
            {endings.map((ending) => (
              <MenuItem key={ending.outcome} icon={ending.icon} onSelect={() => call(title, video, ending)}>
                {ending.label}
              </MenuItem>
            ))}
          </DropdownMenu.Group>
        </Fragment>
      ))}
    </Menu>
  )
}
