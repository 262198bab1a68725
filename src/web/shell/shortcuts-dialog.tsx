import { Fragment, useId } from 'react'
import { singleKeysChoice } from '#web/platform/keys.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'

type Keys = readonly string[]

const shortcuts: readonly { group: string; keys: readonly { does: string; with: readonly Keys[] }[] }[] = [
  {
    group: 'Em toda parte',
    keys: [
      { does: 'Ir para… tela, conversa, contato ou ação', with: [['Ctrl', 'K']] },
      { does: 'Assumir a próxima conversa da fila', with: [['Alt', 'P']] },
      { does: 'Ler a notificação', with: [['F8']] },
      { does: 'Mostrar os atalhos', with: [['?']] },
    ],
  },
  {
    group: 'Na conversa',
    keys: [
      { does: 'Assumir', with: [['Alt', 'A']] },
      { does: 'Transferir', with: [['Alt', 'T']] },
      { does: 'Finalizar', with: [['Alt', 'L']] },
      { does: 'Anexar arquivo', with: [['Alt', 'X']] },
      { does: 'Buscar na lista', with: [['Alt', 'B']] },
      {
        does: 'Conversa anterior e próxima',
        with: [
          ['Alt', '↑'],
          ['Alt', '↓'],
        ],
      },
    ],
  },
  {
    group: 'Nas mensagens',
    keys: [
      { does: 'Mensagem anterior e próxima', with: [['↑'], ['↓']] },
      { does: 'Primeira e última', with: [['Home'], ['End']] },
      { does: 'Responder e outras opções', with: [['Tab']] },
      { does: 'Buscar na conversa', with: [['Ctrl', 'F']] },
      { does: 'Voltar ao texto', with: [['Esc']] },
    ],
  },
  {
    group: 'No texto',
    keys: [
      { does: 'Enviar', with: [['Enter']] },
      { does: 'Nova linha', with: [['Shift', 'Enter']] },
      { does: 'Editar minha última mensagem, com o texto vazio', with: [['↑']] },
      { does: 'Respostas rápidas, no começo do texto', with: [['/']] },
      { does: 'Emojis, com o começo do nome', with: [[':']] },
    ],
  },
]

/** All shortcuts, and the switch for single-key ones. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const switchId = useId()
  const hasSingleKeys = singleKeysChoice.use()
  return (
    <Dialog isOpen onClose={onClose} title="Atalhos do teclado" className="md:max-w-[860px]">
      <div className="gap-x-8 md:columns-2">
        {shortcuts.map(({ group, keys }) => (
          <section key={group} className="break-inside-avoid pb-3.5">
            <h3 className="pb-1 text-xs text-ink-3">{group}</h3>
            <dl className="grid">
              {keys.map(({ does, with: ways }) => (
                <div
                  key={does}
                  className={[
                    'flex min-h-9 items-center justify-between gap-4',
                    'border-b border-line text-sm last:border-0',
                  ].join(' ')}
                >
                  <dt>{does}</dt>
                  <dd className="flex-none">
                    {ways.map((way, index) => (
                      <Fragment key={way.join()}>
                        {index > 0 && ' '}
                        {way.map((key) => (
                          <Fragment key={key}>
                            <KeyCap>{key}</KeyCap>{' '}
                          </Fragment>
                        ))}
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="flex items-center justify-between gap-4 text-sm">
        <label htmlFor={switchId}>
          Atalhos de uma tecla
          <span className="block text-xs text-ink-2">Desligados, só valem os que combinam teclas.</span>
        </label>
        <Switch
          id={switchId}
          checked={hasSingleKeys}
          onCheckedChange={(isOn) => singleKeysChoice.set(isOn)}
        />
      </div>
    </Dialog>
  )
}
