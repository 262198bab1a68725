import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { SwitchSetting } from '#web/settings/fields/controls.tsx'
import { DialoguePhone } from './dialogue-phone.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'

const words = {
  saved: 'Configurações de pré-atendimento salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

/**
 * Questions asked before a client enters the queue, beside a phone that demonstrates them. @see specification
 * §2 Pré-atendimento
 */
export function PreAttendanceTab() {
  return (
    <SettingsForm
      keys={[
        'preAttendanceEnabled',
        'preAttendanceMessage',
        'preAttendanceCancelMessage',
        'preAttendanceInvalidMessage',
        'preAttendanceMostInvalid',
        'sectorMenuEnabled',
        'sectorMenuMessage',
        'sectorMenuInvalidMessage',
        'sectorMenuCancel',
      ]}
      words={words}
    >
      <SettingsSection title="Pré-atendimento" description={<Explanation />} isLast>
        <PreAttendanceFields />
        <MostInvalid />
      </SettingsSection>
    </SettingsForm>
  )
}

function Explanation() {
  const isMenu = useIsMenu()
  const asked = 'Dentro do horário, quem escreve escolhe antes de entrar na fila:'
  const choices = isMenu ? 'um setor' : '1 continua, 2 encerra'
  return `${asked} ${choices}. Nada do que foi escrito se perde.`
}

/** Whether sectors are offered instead of two options. */
function useIsMenu(): boolean {
  const { watch } = useFormContext<SystemSettings>()
  return useMayOffer() && watch('sectorMenuEnabled')
}

const useMayOffer = () => useSectors().living.filter(({ isActive }) => isActive).length > 1

/** The question and its answers, beside a phone that demonstrates them. */
export function PreAttendanceFields() {
  const { watch } = useFormContext<SystemSettings>()
  const mayOffer = useMayOffer()
  const isMenu = useIsMenu()
  return (
    <>
      <SwitchSetting name="preAttendanceEnabled" label="Perguntar antes de entrar na fila" />
      <div className="grid w-full items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid gap-3.5">
          {mayOffer && <SwitchSetting name="sectorMenuEnabled" label="Menu de setores" />}
          {isMenu && !watch('preAttendanceEnabled') && (
            <p role="status" className="text-sm text-amber-text">
              O menu só vai aos clientes com ‘Perguntar antes de entrar na fila’ ligado.
            </p>
          )}
          {isMenu ? <MenuTexts /> : <TwoOptions />}
        </div>
        <div className="grid gap-2">
          <DialoguePhone />
          <p className="max-w-[340px] text-xs text-pretty text-ink-3">
            Responda como o cliente: o celular usa os textos ao lado, salvos ou não.
          </p>
        </div>
      </div>
    </>
  )
}

/** 1 continues, 2 ends. */
function TwoOptions() {
  return (
    <>
      <TextSetting name="preAttendanceMessage" hasPreview={false} />
      <QuestionWarning />
      <TextSetting name="preAttendanceCancelMessage" hasPreview={false} />
      <TextSetting name="preAttendanceInvalidMessage" hasPreview={false} />
    </>
  )
}

/** A sector for each figure. */
function MenuTexts() {
  return (
    <>
      <TextSetting name="sectorMenuMessage" rows={5} hasPreview={false} />
      <TextSetting name="sectorMenuInvalidMessage" rows={5} hasPreview={false} />
      <SwitchSetting name="sectorMenuCancel" label="Oferecer 0 - Cancelar" />
      <TextSetting name="preAttendanceCancelMessage" label="Ao cancelar" hasPreview={false} />
    </>
  )
}

const mostInvalid = [
  { value: '0', label: 'Nunca' },
  ...[1, 2, 3, 4, 5, 10].map((count) => ({
    value: String(count),
    label: count === 1 ? 'Depois de 1 resposta inválida' : `Depois de ${count} respostas inválidas`,
  })),
]

function MostInvalid() {
  const { watch, setValue } = useFormContext<SystemSettings>()
  const value = String(watch('preAttendanceMostInvalid'))
  const isListed = mostInvalid.some((option) => option.value === value)
  return (
    <Field
      label="Quem não acerta a opção entra na fila"
      hint="Cada resposta inválida recebe o texto acima; a mensagem seguinte chega à equipe."
      className="w-[320px] max-w-full"
    >
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(next) => setValue('preAttendanceMostInvalid', Number(next))}
          options={
            isListed ? mostInvalid : [...mostInvalid, { value, label: `Depois de ${value} respostas` }]
          }
        />
      )}
    </Field>
  )
}

/** Shown while the question is switched on and empty. */
function QuestionWarning() {
  const { watch } = useFormContext<SystemSettings>()
  const isAsked = watch('preAttendanceEnabled') && showsNothing(watch('preAttendanceMessage'))
  if (!isAsked) return null
  return (
    <p role="status" className="text-sm text-amber-text">
      Sem a pergunta, quem escreve entra direto na fila.
    </p>
  )
}
