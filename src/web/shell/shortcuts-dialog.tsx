import { Fragment, useId } from 'react'
import { singleKeysChoice } from '#web/platform/keys.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { shortcuts } from './shortcuts.ts'

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
