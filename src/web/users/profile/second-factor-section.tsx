import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { removeSecondFactor, renewRecoveryCodes, type SecondFactor } from '#shared/users/profile.ts'
import { call, isDeclined } from '#web/platform/api/api.ts'
import { shortDate } from '#web/platform/dates.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { useMe } from '#web/users/me-context.ts'
import { CodeDialog } from './code-dialog.tsx'
import { profileQueries, useSecondFactorChanged } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'

const whatItIs = 'Além da senha, um código do celular.'

/** 'Verificação em duas etapas': switched on with a QR code, and off. */
export function SecondFactorSection() {
  const { data, error } = useQuery(profileQueries.secondFactor())
  const { username } = useMe()
  const changed = useSecondFactorChanged()
  const [isSettingUp, setIsSettingUp] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => {
    setIsSettingUp(false)
    setCodes(undefined)
    changed()
  }
  return (
    <SettingsSection
      title="Verificação em duas etapas"
      description={data?.isDuty ? `${whatItIs} É obrigatória para o seu perfil.` : whatItIs}
    >
      {data ? (
        <Actions state={data} onSetUp={() => setIsSettingUp(true)} onCodes={setCodes} />
      ) : (
        <p className="text-sm text-ink-3">{error ? error.message : 'Carregando...'}</p>
      )}
      {(isSettingUp || codes) && (
        <Dialog
          isOpen
          onClose={close}
          title={codes ? 'Novos códigos de recuperação' : 'Ativar verificação em duas etapas'}
        >
          {codes ? (
            <RecoveryCodes codes={codes} username={username} onDone={close} />
          ) : (
            <SecondFactorSetup username={username} onDone={close} />
          )}
        </Dialog>
      )}
    </SettingsSection>
  )
}

function Actions({
  state: { isOn, since, recoveryCodesLeft, isDuty },
  onSetUp,
  onCodes,
}: {
  state: SecondFactor
  onSetUp: () => void
  onCodes: (codes: readonly string[]) => void
}) {
  const [asked, setAsked] = useState<'off' | 'renew'>()
  if (!isOn)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Badge>Desativada</Badge>
        <Button icon={ShieldCheck} onClick={onSetUp}>
          Ativar
        </Button>
      </div>
    )
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
        <Badge tone="green">Ativa</Badge>
        desde {shortDate(since ?? '')} · {codesLeft(recoveryCodesLeft)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={KeyRound} onClick={() => setAsked('renew')}>
          Novos códigos de recuperação
        </Button>
        {!isDuty && (
          <Button icon={ShieldOff} variant="danger" onClick={() => setAsked('off')}>
            Desativar
          </Button>
        )}
      </div>
      {asked === 'off' && <SwitchOff onClose={() => setAsked(undefined)} />}
      {asked === 'renew' && <Renew onCodes={onCodes} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function SwitchOff({ onClose }: { onClose: () => void }) {
  const changed = useSecondFactorChanged()
  const { mutate, error, reset, isPending } = useMutation({
    mutationFn: (code: string) => call(removeSecondFactor, { body: { code } }),
    onSuccess: () => {
      onClose()
      changed()
    },
  })
  return (
    <CodeDialog
      title="Desativar verificação em duas etapas"
      description="A senha sozinha voltará a bastar para entrar na sua conta."
      action="Desativar verificação"
      isDanger
      error={textOf(error)}
      isBusy={isPending}
      onCode={mutate}
      onType={reset}
      onClose={onClose}
    />
  )
}

function Renew({ onCodes, onClose }: { onCodes: (codes: readonly string[]) => void; onClose: () => void }) {
  const { mutate, error, reset, isPending } = useMutation({
    mutationFn: (code: string) => call(renewRecoveryCodes, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => {
      onClose()
      onCodes(recoveryCodes)
    },
  })
  return (
    <CodeDialog
      title="Trocar códigos de recuperação"
      description="Os códigos que você guardou deixam de valer."
      action="Trocar códigos"
      error={textOf(error)}
      isBusy={isPending}
      onCode={mutate}
      onType={reset}
      onClose={onClose}
    />
  )
}

/** Nothing is said to a user who did not want to confirm. */
const textOf = (error: Error | null) => (isDeclined(error) ? undefined : error?.message)

function codesLeft(count: number): string {
  if (count === 0) return 'nenhum código de recuperação restante'
  return count === 1 ? '1 código de recuperação restante' : `${count} códigos de recuperação restantes`
}
