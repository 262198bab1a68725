import { Button } from '#web/ui/buttons/button.tsx'

/** The footer of a dialog with a form: 'Cancelar' and the button that submits it. */
export function FormFooter({
  form,
  isBusy,
  label = 'Salvar',
  busyLabel = 'Salvando...',
  onCancel,
}: {
  /** The id of the form. */
  form: string
  isBusy: boolean
  label?: string
  busyLabel?: string
  onCancel: () => void
}) {
  return (
    <>
      <Button onClick={onCancel}>Cancelar</Button>
      <Button type="submit" form={form} variant="primary" isBusy={isBusy} busyLabel={busyLabel}>
        {label}
      </Button>
    </>
  )
}
