import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { EvolutionForm } from '#web/gateway/evolution-form.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { WebhookSection } from '#web/gateway/webhook-section.tsx'

/** The form of a further number. One that was deleted comes back under its name. */
export function NewNumber({
  baseUrl,
  onAdded,
  onCancel,
}: {
  /** That of the main number: most have the same gateway. */
  baseUrl: string
  onAdded: (config: EvolutionConfig) => void
  onCancel: () => void
}) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-[22px]">
        <h2 className="text-lg font-semibold">Novo número</h2>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancelar
        </Button>
      </div>
      <EvolutionForm
        config={undefined}
        baseUrl={baseUrl}
        onCreated={(config, isBack) => {
          toast({
            title: isBack ? 'Número de volta' : 'Número adicionado',
            description: isBack
              ? 'As conversas finalizadas dele continuam no arquivo. Conecte o celular para usá-lo.'
              : 'Agora conecte o celular dele.',
          })
          onAdded(config)
        }}
      >
        <WebhookSection config={undefined} />
      </EvolutionForm>
    </>
  )
}
